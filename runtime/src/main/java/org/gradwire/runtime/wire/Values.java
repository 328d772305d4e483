package org.gradwire.runtime.wire;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.classes.MarkedClasses;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.ValueCodec;
import org.gradwire.spi.process.CodePath;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The closed set of types that messages may contain: primitives, strings, arrays, lists, maps,
 * sets, optionals, marked records and enums, JDK types ({@link StandardCodecs}), and types with an
 * installed codec.
 *
 * <p>Decoded lists, maps and sets are mutable and keep their order.
 */
public final class Values {
    private final Map<String, ValueCodec<?>> byTag = new HashMap<>();
    private final List<ValueCodec<?>> codecs;
    private final Map<Class<?>, Optional<ValueCodec<?>>> byClass = new ConcurrentHashMap<>();
    private final Map<String, byte[]> tags = new HashMap<>();
    private final Names names = new Names();
    private final MarkedTypes marked;

    public Values(List<ValueCodec<?>> codecs, ClassLoader loader) {
        this(codecs, new MarkedClasses(loader));
    }

    /**
     * Create the set.
     *
     * @param installed codecs that take precedence over those of JDK types
     */
    public Values(List<ValueCodec<?>> installed, MarkedClasses classes) {
        this.codecs =
                Stream.of(installed, StandardCodecs.ALL)
                        .<ValueCodec<?>>flatMap(List::stream)
                        .toList();
        this.marked = new MarkedTypes(classes);
        for (ValueCodec<?> codec : codecs) {
            tags.put(codec.tag(), codec.tag().getBytes(StandardCharsets.UTF_8));
            ValueCodec<?> twin = byTag.put(codec.tag(), codec);
            if (twin != null) {
                throw new RpcConfigurationException(
                        "two codecs have the tag '%s': %s and %s"
                                .formatted(
                                        codec.tag(),
                                        twin.getClass().getName(),
                                        codec.getClass().getName()));
            }
        }
    }

    /** {@return the cache of names} */
    Names names() {
        return names;
    }

    void write(@Nullable Object value, WireOutput out) {
        switch (value) {
            case null -> out.writeInt(Tags.NULL);
            case Boolean v -> out.writeInt(v ? Tags.TRUE : Tags.FALSE);
            case Integer v -> {
                out.writeInt(Tags.INT);
                out.writeInt(v);
            }
            case Long v -> {
                out.writeInt(Tags.LONG);
                out.writeLong(v);
            }
            case Double v -> {
                out.writeInt(Tags.DOUBLE);
                out.writeDouble(v);
            }
            case Float v -> {
                out.writeInt(Tags.FLOAT);
                out.writeFloat(v);
            }
            case String v -> writeText(v, out);
            case Byte v -> writeSmall(Tags.BYTE, v, out);
            case Short v -> writeSmall(Tags.SHORT, v, out);
            case Character v -> writeSmall(Tags.CHAR, v, out);
            case WorkerInfo v -> {
                out.writeInt(Tags.WORKER_INFO);
                out.writeInt(v.id());
                out.writeString(v.name());
            }
            default -> writeObject(value, out);
        }
    }

    /** Write a string, as UTF-8 unless it has unpaired surrogates. */
    private static void writeText(String text, WireOutput out) {
        if (isUnicode(text)) {
            out.writeInt(Tags.STRING);
            out.writeString(text);
        } else {
            out.writeInt(Tags.UTF16_STRING);
            Arrays.writeChars(text.toCharArray(), out);
        }
    }

    private static boolean isUnicode(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static void writeSmall(int tag, int value, WireOutput out) {
        out.writeInt(tag);
        out.writeInt(value);
    }

    private void writeObject(Object value, WireOutput out) {
        ValueCodec<?> codec = codecOf(value.getClass());
        if (codec != null) {
            writeCoded(codec, value, out);
            return;
        }
        switch (value) {
            case List<?> v -> writeAll(Tags.LIST, v, out);
            case Set<?> v -> writeAll(Tags.SET, v, out);
            case Map<?, ?> v -> writeMap(v, out);
            case Optional<?> v -> {
                out.writeInt(Tags.OPTIONAL);
                out.writeValue(v.orElse(null));
            }
            case Object[] v -> Arrays.write(v, marked, out);
            case Record v -> {
                out.writeInt(Tags.RECORD);
                marked.write(v, out);
            }
            case Enum<?> v -> {
                out.writeInt(Tags.ENUM);
                marked.write(v, out);
            }
            default -> {
                if (!value.getClass().isArray()) {
                    throw unsendable(value);
                }
                Arrays.writePrimitive(value, out);
            }
        }
    }

    /** {@return whether a poller may write a value: it is short and runs no user code} */
    public boolean isLight(@Nullable Object value) {
        if (value == null
                || value instanceof Number
                || value instanceof Boolean
                || value instanceof String) {
            return true;
        }
        ValueCodec<?> codec = codecOf(value.getClass());
        return codec != null && codec.runsOnPoller();
    }

    /**
     * Find objects of a type inside a value.
     *
     * @return false if the value contains opaque objects, which may contain more
     */
    public <T> boolean findIn(@Nullable Object value, Class<T> type, Consumer<? super T> found) {
        return new ValueContents<>(this, type, found).visit(value);
    }

    /**
     * {@return the components of a record}
     *
     * @throws TypeMismatchException if it cannot be sent
     */
    List<@Nullable Object> components(Record value) {
        return marked.components(value);
    }

    /** {@return whether an installed codec writes a value} */
    boolean isCoded(Object value) {
        return codecOf(value.getClass()) != null;
    }

    /** {@return whether a method reference bound to a value may be sent with it} */
    public boolean isBindable(Object value) {
        ValueCodec<?> codec = codecOf(value.getClass());
        return codec == null || codec.bindable();
    }

    private <T> void writeCoded(ValueCodec<T> codec, Object value, WireOutput out) {
        if (!codec.runsOnPoller()) {
            out.markHeavy();
        }
        out.writeInt(Tags.CODEC);
        out.writeBytes(Objects.requireNonNull(tags.get(codec.tag())));
        codec.encode(codec.type().cast(value), out);
    }

    private static void writeAll(int tag, Collection<?> elements, WireOutput out) {
        if (tag == Tags.SET) {
            out.markHeavy(); // hashing the elements may run user code
        }
        out.writeInt(tag);
        out.writeInt(elements.size());
        elements.forEach(out::writeValue);
    }

    private static void writeMap(Map<?, ?> map, WireOutput out) {
        out.markHeavy(); // hashing the keys may run user code
        out.writeInt(Tags.MAP);
        out.writeInt(map.size());
        map.forEach((key, value) -> {
            out.writeValue(key);
            out.writeValue(value);
        });
    }

    @Nullable ValueCodec<?> codecOf(Class<?> type) {
        Optional<ValueCodec<?>> known = byClass.get(type);
        if (known == null) {
            known =
                    codecs.stream()
                            .filter(codec -> codec.type().isAssignableFrom(type))
                            .<ValueCodec<?>>map(codec -> codec)
                            .reduce(Values::narrower);
            byClass.put(type, known);
        }
        return known.orElse(null);
    }

    /** Choose the codec of the more specific type. */
    private static ValueCodec<?> narrower(ValueCodec<?> a, ValueCodec<?> b) {
        return a.type() != b.type() && a.type().isAssignableFrom(b.type()) ? b : a;
    }

    private static TypeMismatchException unsendable(Object value) {
        String name = value.getClass().getName();
        if (value instanceof RpcFuture || value instanceof CompletionStage) {
            return new TypeMismatchException(
                    "a future (%s) cannot be sent; wait for it and send its value".formatted(name));
        }
        return new TypeMismatchException(
                "a value of %s cannot be sent (Java serialization is not used); what can: primitives, strings, enums and records marked @WireValue, arrays, List, Map, Set, Optional, UUID, BigInteger, BigDecimal, Instant, Duration, dates and times of java.time, tensors, RRefs, WorkerInfo, references to remote functions, and types with an installed codec"
                        .formatted(name));
    }

    @Nullable Object read(WireInput in) {
        int tag = in.readInt();
        in.budget().allocate(heapBytes(tag));
        return switch (tag) {
            case Tags.NULL -> null;
            case Tags.TRUE -> true;
            case Tags.FALSE -> false;
            case Tags.BYTE -> (byte) in.readInt();
            case Tags.SHORT -> (short) in.readInt();
            case Tags.CHAR -> (char) in.readInt();
            case Tags.INT -> in.readInt();
            case Tags.LONG -> in.readLong();
            case Tags.FLOAT -> in.readFloat();
            case Tags.DOUBLE -> in.readDouble();
            case Tags.STRING -> in.readString();
            case Tags.UTF16_STRING -> new String(Arrays.readChars(in));
            case Tags.WORKER_INFO -> new WorkerInfo(in.readInt(), in.readString());
            case Tags.LIST -> CollectionReader.readList(in);
            case Tags.OPTIONAL -> Optional.ofNullable(in.readValue());
            case Tags.PRIMITIVE_ARRAY -> Arrays.readPrimitive(in);
            case Tags.CODEC -> readCoded(in);
            default -> readHeavy(tag, in);
        };
    }

    /** {@return the estimated heap of a value with a tag, without its elements and text} */
    private static int heapBytes(int tag) {
        return switch (tag) {
            case Tags.NULL, Tags.TRUE, Tags.FALSE, Tags.BYTE, Tags.ENUM -> 0;
            case Tags.SHORT, Tags.CHAR, Tags.INT, Tags.FLOAT, Tags.OPTIONAL -> 16;
            case Tags.LONG, Tags.DOUBLE, Tags.LIST, Tags.WORKER_INFO -> 24;
            case Tags.MAP -> 56;
            case Tags.SET -> 72;
            case Tags.CODEC -> 128; // a small tensor
            default -> 32;
        };
    }

    private Object readHeavy(int tag, WireInput in) {
        in.heavyFollows("a value with tag " + tag);
        return switch (tag) {
            case Tags.SET -> CollectionReader.readSet(in);
            case Tags.MAP -> CollectionReader.readMap(in);
            case Tags.RECORD -> marked.readRecord(in);
            case Tags.ENUM -> marked.readEnum(in);
            case Tags.OBJECT_ARRAY -> Arrays.read(marked, in);
            default -> throw new DecodingException("unknown tag " + tag + " before a value");
        };
    }

    private Object readCoded(WireInput in) {
        String tag = in.readName();
        ValueCodec<?> codec = byTag.get(tag);
        if (codec == null) {
            throw new DecodingException(
                    "no codec with tag '%s' is installed here; put the jar that provides it on this worker's %s"
                            .formatted(UntrustedText.quote(tag), CodePath.of(Values.class)));
        }
        if (!codec.runsOnPoller()) {
            in.heavyFollows("a value with codec " + tag);
        }
        return codec.decode(in);
    }
}
