package org.gradwire.runtime.standby;

import org.gradwire.rpc.RpcConfigurationException;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The {@code main} of a program, in the forms that {@code java} starts: static or of an instance,
 * with arguments or without (JEP 512).
 */
final class Program {
    private static final String MAIN = "main";

    private final Class<?> type;
    private final Method main;

    private Program(Class<?> type, Method main) {
        this.type = type;
        this.main = main;
    }

    /**
     * Load the main class, without initializing it.
     *
     * @param target {@code module/main.Class}; its package must be open to this module
     * @throws RpcConfigurationException if there is no such program
     */
    static Program find(String target) {
        int slash = target.indexOf('/');
        String name = target.substring(slash + 1);
        Class<?> type =
                Optional.of(target.substring(0, Math.max(slash, 0)))
                        .flatMap(ModuleLayer.boot()::findModule)
                        .map(module -> Class.forName(module, name))
                        .orElseThrow(() -> missing("there is no program ", target));
        return of(type);
    }

    /**
     * Find the {@code main} of a class.
     *
     * @throws RpcConfigurationException if it has none
     */
    static Program of(Class<?> type) {
        Method main =
                Stream.<Class<?>>iterate(type, c -> c != null, Class::getSuperclass)
                        .flatMap(Program::mains)
                        .findFirst()
                        .orElseThrow(() -> missing("there is no method main in ", type.getName()));
        main.setAccessible(true);
        return new Program(type, main);
    }

    private static RpcConfigurationException missing(String problem, String target) {
        return new RpcConfigurationException(
                problem + target + "; expected a class of a module on the module path");
    }

    /** {@return the candidates of a class: with arguments before without} */
    private static Stream<Method> mains(Class<?> type) {
        return Stream.of(new Class<?>[] {String[].class}, new Class<?>[0])
                .flatMap(parameters -> declared(type, parameters).stream());
    }

    private static Optional<Method> declared(Class<?> type, Class<?>[] parameters) {
        try {
            return Optional.of(type.getDeclaredMethod(MAIN, parameters))
                    .filter(method -> !Modifier.isPrivate(method.getModifiers()));
        } catch (NoSuchMethodException _) {
            return Optional.empty();
        }
    }

    /**
     * Run it on this thread.
     *
     * @throws Exception that of the program
     */
    void run(String[] args) throws Exception {
        try {
            Object target = Modifier.isStatic(main.getModifiers()) ? null : instance();
            main.invoke(
                    target, main.getParameterCount() == 0 ? new Object[0] : new Object[] {args});
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case Exception failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw e;
            }
        }
    }

    private Object instance() throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
}
