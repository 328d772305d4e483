package org.gradwire.runtime.wire;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.WireValue;
import org.gradwire.runtime.classes.MarkedClasses;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The records and enums marked {@link WireValue}, by name. The look-up of a name from a peer runs
 * no code of the class, and finds only marked classes.
 */
final class MarkedTypes {
    private final MarkedClasses classes;
    private final Map<String, Class<?>> byName = new ConcurrentHashMap<>();
    private final Map<Class<?>, RecordShape> shapes = new ConcurrentHashMap<>();

    MarkedTypes(MarkedClasses classes) {
        this.classes = classes;
    }

    void write(Record value, WireOutput out) {
        out.markHeavy();
        Class<? extends Record> type = value.getClass();
        out.writeString(nameOf(type));
        shapeOf(type).write(value, out);
    }

    /**
     * {@return the components of a record, in order}
     *
     * @throws TypeMismatchException if it cannot be sent
     */
    List<@Nullable Object> components(Record value) {
        Class<? extends Record> type = value.getClass();
        var _ = nameOf(type);
        return shapeOf(type).components(value);
    }

    void write(Enum<?> value, WireOutput out) {
        out.markHeavy(); // initializing an enum runs its constructors
        out.writeString(nameOf(value.getDeclaringClass()));
        out.writeString(value.name());
    }

    /**
     * Return the name of a type in messages.
     *
     * @throws TypeMismatchException if it cannot be sent
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
            throw new DecodingException(type.getName() + " is not a record");
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
     * Return the type for a name that a peer sent.
     *
     * @throws DecodingException if there is none, or it is not marked; the text is the same for
     *     both, so that it reveals nothing about the program
     */
    Class<?> find(String name) {
        Class<?> known = byName.get(name);
        if (known != null) {
            return known;
        }
        Class<?> type = classes.find(name);
        if (type == null || refusal(type) != null) {
            throw new DecodingException(
                    "a peer sent a value of %s, which is not a type that this worker accepts: a public record or enum marked @WireValue and, if it is in a module, in an exported package"
                            .formatted(UntrustedText.quote(name)));
        }
        byName.put(type.getName(), type);
        return type;
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
