package org.gradwire.runtime.wire;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.WireValue;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records and enums that are marked {@link WireValue}, by name. A name from a peer is looked up
 * without running anything of the class, and used only if the mark is there.
 */
final class MarkedTypes {
    private final ClassLoader loader;
    private final Map<String, Class<?>> byName = new ConcurrentHashMap<>();
    private final Map<Class<?>, RecordShape> shapes = new ConcurrentHashMap<>();

    MarkedTypes(ClassLoader loader) {
        this.loader = loader;
    }

    void write(Record value, WireOutput out) {
        out.markHeavy();
        Class<? extends Record> type = value.getClass();
        out.writeString(nameOf(type));
        shapeOf(type).write(value, out);
    }

    void write(Enum<?> value, WireOutput out) {
        out.markHeavy(); // initializing an enum runs its constructors
        out.writeString(nameOf(value.getDeclaringClass()));
        out.writeString(value.name());
    }

    /**
     * Return the name under which a type travels.
     *
     * @throws TypeMismatchException when it may not
     */
    String nameOf(Class<?> type) {
        String name = type.getName();
        if (byName.get(name) != type) {
            String refusal = refusal(type);
            if (refusal != null) {
                throw new TypeMismatchException(
                        "a value of %s cannot be sent: %s".formatted(name, refusal));
            }
            byName.put(name, type);
        }
        return name;
    }

    Object readRecord(WireInput in) {
        Class<?> type = find(in.readString());
        if (!type.isRecord()) {
            throw new DecodingException(type.getName() + " is no record");
        }
        return shapeOf(type).read(in);
    }

    Object readEnum(WireInput in) {
        Class<?> type = find(in.readString());
        String constant = in.readString();
        for (Object candidate : type.isEnum() ? type.getEnumConstants() : new Object[0]) {
            if (((Enum<?>) candidate).name().equals(constant)) {
                return candidate;
            }
        }
        throw new DecodingException("%s has no constant %s".formatted(type.getName(), constant));
    }

    /**
     * Return the type with a name that a peer sent.
     *
     * @throws DecodingException when there is none, or it may not travel
     */
    Class<?> find(String name) {
        Class<?> known = byName.get(name);
        if (known != null) {
            return known;
        }
        try {
            Class<?> type = Class.forName(name, false, loader);
            String refusal = refusal(type);
            if (refusal != null) {
                throw new DecodingException(
                        "a peer sent a value of %s, which is refused: %s".formatted(name, refusal));
            }
            byName.put(name, type);
            return type;
        } catch (ClassNotFoundException | LinkageError e) {
            throw new DecodingException(
                    "a peer sent a value of %s, which does not exist on this worker"
                            .formatted(name),
                    e);
        }
    }

    private RecordShape shapeOf(Class<?> type) {
        return shapes.computeIfAbsent(type, RecordShape::of);
    }

    private static @Nullable String refusal(Class<?> type) {
        if (!type.isAnnotationPresent(WireValue.class)) {
            return "it is not marked @WireValue";
        }
        if (!type.isRecord() && !type.isEnum()) {
            return "it is neither a record nor an enum";
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
}
