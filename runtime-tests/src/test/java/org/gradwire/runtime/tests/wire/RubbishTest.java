package org.gradwire.runtime.tests.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.functions.Values.Empty;
import org.gradwire.runtime.tests.functions.Values.Everything;
import org.gradwire.runtime.tests.functions.Values.Explosive;
import org.gradwire.runtime.tests.functions.Values.Positive;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireCodec.DecodedMessage;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CallScope;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Decoding of malformed bytes: the result is a value or a {@link DecodingException}, with memory in
 * proportion to their number.
 */
class RubbishTest {
    /** Allowed memory of a message of any size, for example for class loading at a first error. */
    private static final long FLAT_BYTES = 1 << 19;

    /** Allowed memory per byte, which may be an entry of a map, or a long exception text. */
    private static final long BYTES_PER_BYTE = 128;

    private final WireCodec codec = WireFixture.codec(new Wrapper(0x1c0), new Wrapper(0x1c1));
    private boolean hasListedClasses;
    private final ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** An interceptor without effects, which makes the codec read headers. */
    private record Wrapper(int requestType) implements CallInterceptor {
        @Override
        public int replyType() {
            return requestType + 0x100;
        }

        @Override
        public boolean onRequestOut(Output request, boolean contextual, Output header) {
            return false;
        }

        @Override
        public CallScope onRequestIn(Input request, Input header) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onReplyIn(Input reply, Input header) {}

        @Override
        public @Nullable CallScope currentScope() {
            return null;
        }
    }

    @Provide
    Arbitrary<@Nullable Object> values() {
        return AnyValue.any();
    }

    /**
     * Look up an unknown name in a module, and outside, after which a codec has its list of
     * classes.
     */
    private void listClasses() {
        String name = Empty.class.getName();
        refuseRenamed(new Empty(), name, name.length() - 1);
        refuseRenamed(new Empty(), name, 0);
    }

    private void refuseRenamed(Object value, String type, int changed) {
        Message message = WireFixture.encode(codec, value).copy(BufferAllocator.plain());
        byte[] payload = message.payload().clone();
        String text = new String(payload, StandardCharsets.ISO_8859_1);
        payload[text.indexOf(type) + changed]++;
        assertThrows(
                DecodingException.class,
                () -> readAll(new Message(message.type(), payload, message.buffers())));
    }

    private void read(Message message) {
        if (!hasListedClasses) {
            hasListedClasses = true;
            listClasses();
        }
        long size = message.byteSize();
        long before = memory.getCurrentThreadAllocatedBytes();
        try {
            readAll(message);
        } catch (DecodingException e) {
            assertEquals(RpcErrorKind.UNDECODABLE, e.kind());
            assertTrue(!e.getMessage().isEmpty());
        } catch (RpcException e) {
            // The name of an unknown function, which any caller may send.
            assertEquals(RpcErrorKind.REFUSED, e.kind(), e::toString);
        }
        long taken = memory.getCurrentThreadAllocatedBytes() - before;
        assertTrue(
                taken <= FLAT_BYTES + BYTES_PER_BYTE * size,
                () -> "reading %d bytes took %d".formatted(size, taken));
    }

    private void readAll(Message message) {
        DecodedMessage decodedMessage = codec.open(WireFixture.SOURCE, message);
        if (!WireInput.isHeavy(message)) {
            decodedMessage.body().refuseHeavy();
        }
        decodedMessage.headers().forEach(header -> drain(header.content()));
        drain(decodedMessage.body());
    }

    private static void drain(WireInput in) {
        while (in.remaining() > 0) {
            int before = in.remaining();
            var _ = in.readValue();
            assertTrue(in.remaining() < before, "reading a value takes no bytes");
        }
    }

    @Property(tries = 1500)
    void changedAndTruncatedMessages(@ForAll("values") @Nullable Object value, @ForAll long seed) {
        Message message = WireFixture.encode(codec, value).copy(BufferAllocator.plain());
        var random = new Random(seed);
        for (int i = 0; i < 8; i++) {
            byte[] payload = message.payload().clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                int index = random.nextInt(payload.length);
                payload[index] =
                        (byte)
                                (random.nextBoolean()
                                        ? random.nextInt()
                                        : payload[index] ^ 1 << random.nextInt(8));
            }
            if (random.nextBoolean()) {
                payload = Arrays.copyOf(payload, random.nextInt(payload.length + 4));
            }
            List<MemorySegment> buffers = new ArrayList<>(message.buffers());
            if (random.nextInt(4) == 0) {
                buffers.removeIf(_ -> random.nextBoolean());
                buffers.add(MemorySegment.ofArray(new double[1]));
            }
            int type = random.nextInt(4) == 0 ? 0x1c0 + random.nextInt(2) : message.type();
            read(new Message(type, payload, buffers));
        }
    }

    @Property(tries = 3000)
    void randomBytes(@ForAll @Size(max = 80) byte[] payload, @ForAll boolean wrapped) {
        read(new Message(wrapped ? 0x1c1 : MessageTypes.UDF_CALL, payload, List.of()));
        byte[] light = payload.clone();
        if (light.length > 0) {
            light[0] = 0;
        }
        read(new Message(MessageTypes.UDF_CALL, light, List.of()));
    }

    /** Every first byte, before few and many bytes. */
    @Test
    void everyCodeOfTheWireFormat() {
        var random = new Random(1);
        for (int code = 0; code < 256; code++) {
            for (int i = 0; i < 40; i++) {
                byte[] payload = new byte[2 + random.nextInt(40)];
                random.nextBytes(payload);
                payload[0] = (byte) random.nextInt(2);
                payload[1] = (byte) code;
                read(new Message(MessageTypes.UDF_CALL, payload, List.of()));
            }
        }
    }

    @Test
    void unknownNamesOfTypesAndFunctions() {
        var random = new Random(2);
        List<String> names =
                List.of(
                        "",
                        "\0",
                        "a\0b",
                        "[",
                        "[[[[[[[[[[[[I",
                        "[Ljava.lang.String;",
                        "java.lang.Runtime",
                        "java/lang/Runtime",
                        "org.gradwire.runtime.tests.functions.values",
                        "org.gradwire.runtime.tests.functions.Values$Unmarked",
                        "..\\..",
                        "../../etc/passwd",
                        "org.gradwire.runtime.tests.functions.\uD83D\uDE00",
                        "x".repeat(70_000),
                        "java.lang.Runtime#exec(Ljava/lang/String;)Ljava/lang/Process;",
                        "a#b",
                        "a#(",
                        "java.lang.Math#abs(",
                        "java.lang.Math#abs()",
                        "java.lang.Math#abs(I",
                        "java.lang.Math#abs(I)",
                        "java.lang.Math#abs(Lx;)I",
                        "java.lang.Math#abs(V)I",
                        "java.lang.Math#abs([[)I",
                        "java.lang.Math#abs(" + "I".repeat(300) + ")I",
                        "java.lang.Math#abs(I)I",
                        "java.lang.Math#<clinit>()V",
                        "java.lang.Object#<init>()V",
                        "\0#\0()V");
        for (String name : names) {
            for (int tag : new int[] {15, 16, 18}) {
                read(named(tag, name, random.nextInt(3)));
            }
            for (int kind = -1; kind <= 3; kind++) {
                read(function(kind, name));
            }
        }
    }

    private Message named(int tag, String name, int count) {
        return heavy(out -> {
            out.writeInt(tag);
            out.writeString(name);
            out.writeInt(count);
        });
    }

    private Message function(int kind, String name) {
        return heavy(out -> {
            out.writeInt(20);
            out.writeString("function");
            out.writeInt(kind);
            out.writeString(name);
            out.writeValue(null);
        });
    }

    private Message heavy(Consumer<WireOutput> body) {
        WireOutput out = codec.begin(1, false);
        body.accept(out);
        Message message = out.toMessage(MessageTypes.UDF_CALL);
        codec.giveBack(out);
        message.payload()[0] = 1;
        return message;
    }

    @Test
    void countsLargerThanTheMessage() {
        for (int tag : new int[] {10, 11, 12, 13, 17, 18}) {
            for (int count : new int[] {-1, 100, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                read(
                        heavy(out -> {
                            out.writeInt(tag);
                            if (tag == 18) {
                                out.writeString("");
                            }
                            out.writeInt(count);
                            out.writeInt(5);
                        }));
            }
        }
    }

    /** Nested arrays, each with a length of all the remaining bytes. */
    @Test
    void arraysThatAllClaimTheWholeMessage() {
        int padding = 200_000;
        read(
                heavy(out -> {
                    for (int i = 0; i < 60; i++) {
                        out.writeInt(18);
                        out.writeString("");
                        out.writeInt(padding);
                    }
                    for (int i = 0; i < padding; i++) {
                        out.writeInt(0);
                    }
                }));
    }

    @Test
    void deepNesting() {
        read(
                heavy(out -> {
                    for (int i = 0; i < 100_000; i++) {
                        out.writeInt(14);
                    }
                }));
    }

    @Test
    void messageMarkedAsCheapMustNotHoldOtherValues() {
        for (Object value :
                List.of(
                        Map.of(1, 2),
                        Set.of(1),
                        new Positive(1),
                        Thread.State.NEW.name(),
                        new String[] {"a"})) {
            Message message = WireFixture.encode(codec, List.of(value));
            message.payload()[0] = 0;
            WireInput in = WireFixture.open(codec, message);
            if (value instanceof String) {
                assertEquals(List.of(value), in.readValue());
            } else {
                String text = assertThrows(DecodingException.class, in::readValue).getMessage();
                assertTrue(
                        text.endsWith(" in a message that claims to hold none of its kind"), text);
            }
        }
    }

    @Test
    void valueThatItsTypeRefusesIsUndecodable() {
        Message message = WireFixture.encode(codec, new Positive(1)).copy(BufferAllocator.plain());
        byte[] payload = message.payload();
        payload[payload.length - 1] = 0;
        var failure =
                assertThrows(
                        DecodingException.class,
                        () -> WireFixture.open(codec, message).readValue());
        assertTrue(failure.getMessage().contains("0 is not positive"), failure.getMessage());
        assertSame(
                IllegalArgumentException.class,
                Objects.requireNonNull(failure.getCause()).getClass());
    }

    @Test
    void failingCodeOfATypeMakesItsMessageUndecodable() {
        Message message = WireFixture.encode(codec, new Explosive(3));
        for (int code : new int[] {1, 2}) {
            byte[] payload = message.payload().clone();
            payload[payload.length - 1] = (byte) code;
            var changed = new Message(message.type(), payload, List.of());
            if (code == 1) {
                assertThrows(
                        DecodingException.class,
                        () -> WireFixture.open(codec, changed).readValue());
            } else {
                assertEquals(
                        "Explosive",
                        String.valueOf(WireFixture.open(codec, changed).readValue())
                                .substring(0, 9));
            }
        }
        Message inSet = WireFixture.encode(codec, Set.of(new Explosive(3)));
        byte[] payload = inSet.payload().clone();
        payload[payload.length - 1] = 2;
        assertThrows(
                DecodingException.class,
                () ->
                        WireFixture.open(codec, new Message(inSet.type(), payload, List.of()))
                                .readValue());
    }

    @Test
    void recordOfAnotherShapeIsUndecodable() {
        String name = Everything.class.getName();
        assertTrue(
                refusal(
                                out -> {
                                    out.writeInt(15);
                                    out.writeString(name);
                                    out.writeInt(3);
                                })
                        .contains("has 17 components here, but 3 were sent"));
        assertEquals(
                "component 0 of record "
                        + Positive.class.getName()
                        + " is a java.lang.Integer, but a java.lang.String was sent",
                refusal(out -> {
                    out.writeInt(15);
                    out.writeString(Positive.class.getName());
                    out.writeInt(1);
                    out.writeValue("one");
                }));
        assertEquals(
                "component 0 of record "
                        + Positive.class.getName()
                        + " is a java.lang.Integer, but a null was sent",
                refusal(out -> {
                    out.writeInt(15);
                    out.writeString(Positive.class.getName());
                    out.writeInt(1);
                    out.writeValue(null);
                }));
    }

    private String refusal(Consumer<WireOutput> body) {
        Message message = heavy(body);
        return assertThrows(
                        DecodingException.class, () -> WireFixture.open(codec, message).readValue())
                .getMessage();
    }

    @Test
    void headersOutsideOfTheirMessage() {
        var random = new Random(9);
        for (int i = 0; i < 2000; i++) {
            int start = i % 3 == 0 ? random.nextInt() : random.nextInt(40) - 5;
            int inner = i % 2 == 0 ? 0x1c0 : random.nextInt(0x400);
            Message message =
                    heavy(out -> {
                        out.writeValue("body");
                        out.writeFooter(start, inner);
                    });
            read(new Message(0x1c1, message.payload(), List.of()));
        }
        assertEquals(
                "the header of a wrapped message is outside of it",
                assertThrows(
                                DecodingException.class,
                                () -> codec.open(1, new Message(0x1c1, new byte[7], List.of())))
                        .getMessage());
        assertEquals(
                "the message is empty",
                assertThrows(
                                DecodingException.class,
                                () ->
                                        codec.open(
                                                1,
                                                new Message(
                                                        MessageTypes.UDF_CALL,
                                                        new byte[0],
                                                        List.of())))
                        .getMessage());
    }

    /** {@return a message in headers of some types, the outermost last} */
    private Message nested(int... types) {
        WireOutput out = codec.begin(1, false);
        out.writeValue("body");
        int inner = MessageTypes.UDF_CALL;
        for (int type : types) {
            out.writeFooter(out.position(), inner);
            inner = type;
        }
        Message message = out.toMessage(inner);
        codec.giveBack(out);
        return message;
    }

    /** A header can have eight bytes, so that a message of 16 MiB could have two million. */
    @Test
    void headerOccursOnce() {
        int[] many = new int[1 << 18];
        Arrays.fill(many, 0x1c0);
        for (int[] types :
                List.of(
                        new int[] {0x1c0, 0x1c0},
                        new int[] {0x1c0, 0x1c1, 0x1c0},
                        new int[] {0x1e5, 0x1c0, 0x1e5},
                        many)) {
            Message message = nested(types);
            String text =
                    assertThrows(
                                    DecodingException.class,
                                    () -> codec.open(WireFixture.SOURCE, message))
                            .getMessage();
            assertTrue(text.endsWith("comes twice in one message"), text);
        }
        int[] optional = IntStream.range(0x1e0, 0x200).toArray();
        DecodedMessage decodedMessage = codec.open(WireFixture.SOURCE, nested(optional));
        assertEquals("body", decodedMessage.body().readValue());
        assertEquals(List.of(), decodedMessage.headers());
    }

    @Test
    void wrappedMessagesAreUnwrappedInOrder() {
        WireOutput out = codec.begin(1, false);
        out.writeValue("body");
        int first = out.position();
        out.writeString("inner header");
        out.writeFooter(first, MessageTypes.UDF_CALL);
        int dropped = out.position();
        out.writeString("a header that is taken back");
        out.truncate(dropped);
        int second = out.position();
        out.writeLong(42);
        out.writeFooter(second, 0x1c0);
        Message message = out.toMessage(0x1c1);
        codec.giveBack(out);

        DecodedMessage decodedMessage = codec.open(WireFixture.SOURCE, message);
        assertEquals(MessageTypes.UDF_CALL, decodedMessage.type());
        assertEquals("body", decodedMessage.body().readValue());
        assertEquals(0, decodedMessage.body().remaining());
        assertEquals(2, decodedMessage.headers().size());
        assertEquals(0x1c1, decodedMessage.headers().get(0).interceptor().requestType());
        assertEquals(42, decodedMessage.headers().get(0).content().readLong());
        assertEquals(0, decodedMessage.headers().get(0).content().remaining());
        assertEquals(0x1c0, decodedMessage.headers().get(1).interceptor().requestType());
        assertEquals("inner header", decodedMessage.headers().get(1).content().readString());
        assertEquals(WireFixture.SOURCE, decodedMessage.body().source());
        decodedMessage.body().attach(String.class, "a note");
        assertEquals(
                List.of("a note"),
                decodedMessage.headers().get(0).content().attached(String.class));
        assertThrows(DecodingException.class, () -> decodedMessage.body().readInt());
        assertThrows(DecodingException.class, () -> decodedMessage.body().readFloat());
        assertThrows(DecodingException.class, () -> decodedMessage.body().readString());
    }
}
