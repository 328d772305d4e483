package org.gradwire.nn.wire;

import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.internal.ConfigurationConstructors;
import org.gradwire.nn.internal.ConstructionLimit;
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
 * The allowlist of module classes on the wire. A class name from a peer is resolved without
 * initializing the class, and used only if the class is marked.
 */
final class ModuleTypes {
    private final Function<String, Optional<Class<?>>> classes;
    private final PeerLog refusals;
    private final Map<String, Class<? extends Module>> byName = new ConcurrentHashMap<>();

    /**
     * Create an empty table.
     *
     * @param classes finds the marked class of a received name
     * @param log logs why a name is rejected
     */
    ModuleTypes(Function<String, Optional<Class<?>>> classes, System.Logger log) {
        this.classes = classes;
        this.refusals = new PeerLog(log);
    }

    /**
     * Return the wire name of a module.
     *
     * @throws TypeMismatchException when the module cannot be sent
     */
    String nameOf(Class<? extends Module> type) {
        String name = type.getName();
        if (byName.get(name) != type) {
            String refusal = refusal(type);
            if (refusal != null) {
                throw new TypeMismatchException(
                        "a module of %s cannot be sent (Java serialization is not used): %s; or keep it here and send an RRef to it"
                                .formatted(name, refusal));
            }
            byName.put(name, type);
        }
        return name;
    }

    /**
     * Return the class of a received name.
     *
     * @param peer the worker
     * @throws DecodingException when it does not exist or cannot be received; the message is the
     *     same, so that it discloses nothing about the program
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
                    "a peer sent a module of %s, which is not a module that this worker accepts: a public WireModule marked @WireValue and, if it is in a module, in an exported package"
                            .formatted(quoted));
        }
        Class<? extends Module> found = type.asSubclass(Module.class);
        byName.put(found.getName(), found);
        return found;
    }

    private static @Nullable String refusal(Class<?> type) {
        if (!Module.class.isAssignableFrom(type)) {
            return "it is not a subclass of Module";
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

    /** {@return the reason that a configuration cannot create a module; null if it can} */
    static @Nullable String missingConstructor(
            Class<? extends Module> type, Class<? extends Record> configuration) {
        try {
            var _ = ConfigurationConstructors.of(type, configuration);
            return null;
        } catch (NoSuchMethodException _) {
            return "a module of %s cannot be made from its configuration: it has no public constructor that takes a %s"
                    .formatted(type.getName(), configuration.getName());
        }
    }

    /**
     * Create a module from a received configuration.
     *
     * @param mostBytes the limit of its modules, parameters and buffers in bytes
     * @throws DecodingException when its constructor rejects the configuration or exceeds the limit
     */
    static Module make(Class<? extends Module> type, Record configuration, long mostBytes) {
        String refusal = missingConstructor(type, configuration.getClass());
        if (refusal != null) {
            throw new DecodingException(refusal);
        }
        try {
            Constructor<? extends Module> constructor =
                    ConfigurationConstructors.of(type, configuration.getClass());
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
