package org.gradwire.nn.internal;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/**
 * Constructors of modules that take a configuration alone, with which received modules are created.
 * Those of this project's layers leave the parameters NaN and are not public; those of other
 * modules are public.
 */
public final class ConfigurationConstructors {
    private static final String LAYERS = "org.gradwire.nn";

    private ConfigurationConstructors() {}

    /**
     * Return the constructor of a class that takes a configuration.
     *
     * @throws NoSuchMethodException when there is none; also when it is not public, except in
     *     layers of this project
     */
    public static <M> Constructor<M> of(Class<M> type, Class<? extends Record> configuration)
            throws NoSuchMethodException {
        if (!isLayer(type)) {
            return type.getConstructor(configuration);
        }
        Constructor<M> constructor = type.getDeclaredConstructor(configuration);
        constructor.setAccessible(true);
        return constructor;
    }

    /** {@return whether a class is a layer of this project; the class path is one module} */
    private static boolean isLayer(Class<?> type) {
        String location = type.getPackageName();
        return type.getModule().equals(ConfigurationConstructors.class.getModule())
                && (location.equals(LAYERS) || location.startsWith(LAYERS + "."));
    }

    /**
     * Create a layer of this project whose parameters are NaN until they are loaded.
     *
     * @throws IllegalArgumentException when it exceeds the limits of tensors or of {@link
     *     ConstructionLimit}
     */
    public static <M> M create(Class<M> type, Record configuration) {
        try {
            return of(type, configuration.getClass()).newInstance(configuration);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
