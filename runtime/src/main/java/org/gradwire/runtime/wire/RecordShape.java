package org.gradwire.runtime.wire;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.process.CodePath;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The accessors and the canonical constructor of a record type.
 *
 * @param componentTypes boxed
 * @param primitive whether each component is primitive, so that it cannot be null
 */
record RecordShape(
        Class<?> type,
        Class<?>[] componentTypes,
        boolean[] primitive,
        MethodHandle[] accessors,
        MethodHandle constructor) {
    private static final int COMPONENT_BYTES = 8;
    private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
    private static final MethodType MAKER = MethodType.methodType(Object.class, Object[].class);

    static RecordShape of(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        try {
            var accessors = new MethodHandle[components.length];
            var primitive = new boolean[components.length];
            for (int i = 0; i < components.length; i++) {
                primitive[i] = types[i].isPrimitive();
                accessors[i] = lookup.unreflect(components[i].getAccessor()).asType(GETTER);
            }
            MethodHandle constructor =
                    lookup.unreflectConstructor(type.getDeclaredConstructor(types))
                            .asSpreader(Object[].class, types.length)
                            .asType(MAKER);
            Class<?>[] boxed = MethodType.methodType(void.class, types).wrap().parameterArray();
            return new RecordShape(type, boxed, primitive, accessors, constructor);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new TypeMismatchException(
                    "record %s cannot be sent: %s; make it and its canonical constructor public%s"
                            .formatted(
                                    type.getName(),
                                    e.getMessage(),
                                    CodePath.of(type).inExportedPackage()));
        }
    }

    void write(Record value, WireOutput out) {
        out.writeInt(accessors.length);
        for (MethodHandle accessor : accessors) {
            out.writeValue(get(accessor, value));
        }
    }

    List<@Nullable Object> components(Record value) {
        List<@Nullable Object> components = new ArrayList<>(accessors.length);
        for (MethodHandle accessor : accessors) {
            components.add(get(accessor, value));
        }
        return components;
    }

    Object read(WireInput in) {
        int count = in.readInt();
        if (count != componentTypes.length) {
            throw new DecodingException(
                    "record %s has %d components here, but %d were sent"
                            .formatted(type.getName(), componentTypes.length, count));
        }
        in.budget().allocate((long) COMPONENT_BYTES * count);
        var values = new @Nullable Object[count];
        for (int i = 0; i < count; i++) {
            values[i] = checked(i, in.readValue());
        }
        return make(values);
    }

    private @Nullable Object checked(int index, @Nullable Object value) {
        Class<?> wanted = componentTypes[index];
        if (value == null ? primitive[index] : !wanted.isInstance(value)) {
            throw new DecodingException(
                    "component %d of record %s is a %s, but a %s was sent"
                            .formatted(
                                    index,
                                    type.getName(),
                                    wanted.getName(),
                                    value == null ? "null" : value.getClass().getName()));
        }
        return value;
    }

    private static @Nullable Object get(MethodHandle accessor, Record value) {
        try {
            return accessor.invokeExact((Object) value);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private Object make(@Nullable Object[] values) {
        try {
            return constructor.invokeExact(values);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static RuntimeException rethrown(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> new IllegalArgumentException("a record threw " + thrown, thrown);
        };
    }
}
