package org.gradwire.nn.wire;

import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.limit.ConstructionLimit;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.WireValue;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.PeerLog;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Which modules may travel. A name from a peer is looked up without running anything of the class,
 * and used only if its author has marked it.
 */
final class ModuleTypes {
    private final Function<String, Optional<Class<?>>> classes;
    private final PeerLog refusals;
    private final Map<String, Class<? extends Module>> byName = new ConcurrentHashMap<>();

    /**
     * Create a table without modules.
     *
     * @param classes finds the marked class with a name that a peer sent
     * @param log is told why a name is refused
     */
    ModuleTypes(Function<String, Optional<Class<?>>> classes, System.Logger log) {
        this.classes = classes;
        this.refusals = new PeerLog(log);
    }

    /**
     * Return the name under which a module travels.
     *
     * @throws TypeMismatchException when it may not
     */
    String nameOf(Class<? extends Module> type) {
        String name = type.getName();
        if (byName.get(name) != type) {
            String refusal = refusal(type);
            if (refusal != null) {
                throw new TypeMismatchException(
                        "a module of %s cannot be sent (no serialization, no pickle of it): %s; or keep it here and send an RRef to it"
                                .formatted(name, refusal));
            }
            byName.put(name, type);
        }
        return name;
    }

    /**
     * Return the class with a name that a peer sent.
     *
     * @param peer the worker
     * @throws DecodingException when there is none, or it may not travel; the text is the same, so
     *     that it tells nothing of the program
     */
    Class<? extends Module> find(String name, int peer) {
        Class<? extends Module> known = byName.get(name);
        if (known != null) {
            return known;
        }
        Class<?> type = classes.apply(name).orElse(null);
        String refusal = type == null ? "there is no such marked class" : refusal(type);
        if (type == null || refusal != null) {
            String quoted = UntrustedText.quote(name);
            refusals.log(
                    System.Logger.Level.WARNING,
                    peer,
                    () ->
                            "worker %d sent a module of %s, which is refused: %s"
                                    .formatted(peer, quoted, refusal));
            throw new DecodingException(
                    "a peer sent a module of %s, which is no module of this worker that may travel: a public WireModule marked @WireValue and, if it is in a module, in an exported package"
                            .formatted(quoted));
        }
        Class<? extends Module> found = type.asSubclass(Module.class);
        byName.put(found.getName(), found);
        return found;
    }

    private static @Nullable String refusal(Class<?> type) {
        if (!Module.class.isAssignableFrom(type)) {
            return "it is no subclass of Module";
        }
        if (!type.isAnnotationPresent(WireValue.class)) {
            return "it is not marked @WireValue; mark it and let it implement WireModule";
        }
        if (!WireModule.class.isAssignableFrom(type)) {
            return "it does not implement WireModule, and so cannot be made again";
        }
        if (Modifier.isAbstract(type.getModifiers())) {
            return "it is abstract";
        }
        for (Class<?> outer = type; outer != null; outer = outer.getEnclosingClass()) {
            if (!Modifier.isPublic(outer.getModifiers())) {
                return outer.getName() + " is not public";
            }
        }
        if (!type.getModule().isExported(type.getPackageName())) {
            return "its package is not exported by " + type.getModule();
        }
        return null;
    }

    /** {@return why a module cannot be made from a configuration; null when it can} */
    static @Nullable String missingConstructor(
            Class<? extends Module> type, Class<? extends Record> configuration) {
        try {
            var _ = type.getConstructor(configuration);
            return null;
        } catch (NoSuchMethodException _) {
            return "a module of %s cannot be made from its configuration: it has no public constructor that takes a %s"
                    .formatted(type.getName(), configuration.getName());
        }
    }

    /**
     * Make a module from a configuration that came in a message.
     *
     * @param mostBytes that its modules, parameters and buffers may take
     * @throws DecodingException when its constructor does not take it, or takes more
     */
    static Module make(Class<? extends Module> type, Record configuration, long mostBytes) {
        String refusal = missingConstructor(type, configuration.getClass());
        if (refusal != null) {
            throw new DecodingException(refusal);
        }
        try {
            Constructor<? extends Module> constructor =
                    type.getConstructor(configuration.getClass());
            return ConstructionLimit.within(
                    mostBytes, () -> constructor.newInstance(configuration));
        } catch (InvocationTargetException e) {
            throw unmakeable(type, e.getCause());
        } catch (ReflectiveOperationException | OutOfMemoryError e) {
            throw unmakeable(type, e); // a peer may claim any size
        }
    }

    private static DecodingException unmakeable(Class<?> type, @Nullable Throwable cause) {
        return new DecodingException(
                "the constructor of %s refuses the configuration that came: %s"
                        .formatted(type.getName(), cause),
                cause);
    }
}
