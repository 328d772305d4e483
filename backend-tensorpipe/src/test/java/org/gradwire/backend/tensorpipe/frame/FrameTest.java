package org.gradwire.backend.tensorpipe.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.auth.Proof;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.HexFormat;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The bytes of each frame, as in docs/PROTOCOL.md; a change of them requires a new version. */
class FrameTest {
    private static final int OFFSET = 24; // not 0: frames may be anywhere in a log

    private static final HelloFrame HELLO =
            new HelloFrame(
                    true,
                    true,
                    0x1122334455667788L,
                    new Authenticator.Party(3, 0x0102030405060708L),
                    new Authenticator.Party(4, 0x1112131415161718L),
                    new Nonce(0x2122232425262728L, 0x3132333435363738L),
                    new Nonce(0x4142434445464748L, 0x5152535455565758L));

    private static final HelloAckFrame HELLO_ACK =
            new HelloAckFrame(
                    true,
                    new Nonce(0x4142434445464748L, 0x5152535455565758L),
                    new Proof(proofBytes()));

    private static byte[] proofBytes() {
        byte[] bytes = new byte[Proof.BYTES];
        IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) i);
        return bytes;
    }

    /** A frame, its bytes in hexadecimal, and its decoder. */
    record Golden(ControlFrame frame, String bytes, Decoder decoder) {
        @Override
        public String toString() {
            return frame.getClass().getSimpleName();
        }
    }

    interface Decoder {
        ControlFrame decode(UnsafeBuffer buffer, int offset, int length);
    }

    static Stream<Golden> goldenFrames() {
        return Stream.of(
                new Golden(
                        HELLO,
                        "01060300 48000000 8877665544332211 0807060504030201 1817161514131211"
                                + "03000000 04000000"
                                + "2827262524232221 3837363534333231 4847464544434241 5857565554535251",
                        HelloFrame::decode),
                new Golden(
                        HELLO_ACK,
                        "02060200 38000000 4847464544434241 5857565554535251"
                                + "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                        HelloAckFrame::decode),
                new Golden(
                        new MemoryOfferFrame(0x7f0000001000L),
                        "0b060000 10000000 001000 00007f0000",
                        MemoryOfferFrame::decode),
                new Golden(new MemoryAcceptFrame(), "0c060000 08000000", MemoryAcceptFrame::decode),
                new Golden(
                        new AbortFrame(0x0a0b),
                        "06060000 10000000 0b0a000000000000",
                        AbortFrame::decode),
                new Golden(
                        new SingleCopyDoneFrame(7, 14),
                        "07060000 14000000 0700000000000000 0e000000",
                        SingleCopyDoneFrame::decode),
                new Golden(new HeartbeatFrame(), "08060000 08000000", HeartbeatFrame::decode),
                new Golden(
                        new GoodbyeFrame("bye"), "09060000 0b000000 627965", GoodbyeFrame::decode),
                new Golden(
                        new RejectFrame(RejectFrame.SESSION, 3, "no"),
                        "0a060000 16000000 ffffffffffffffff 03000000 6e6f",
                        RejectFrame::decode));
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static String hex(UnsafeBuffer buffer, int length) {
        byte[] bytes = new byte[length];
        buffer.getBytes(OFFSET, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static UnsafeBuffer holding(byte[] frame) {
        var buffer = new UnsafeBuffer(new byte[OFFSET + frame.length + 8]);
        buffer.putBytes(OFFSET, frame);
        return buffer;
    }

    @ParameterizedTest
    @MethodSource("goldenFrames")
    void controlFrameHasItsBytes(Golden golden) {
        var buffer = new UnsafeBuffer(new byte[2048]);
        golden.frame.encode(buffer, OFFSET);
        assertEquals(golden.bytes.replace(" ", ""), hex(buffer, golden.frame.encodedLength()));
    }

    @ParameterizedTest
    @MethodSource("goldenFrames")
    void controlFrameIsReadFromItsBytes(Golden golden) {
        byte[] bytes = hex(golden.bytes);
        UnsafeBuffer buffer = holding(bytes);
        assertEquals(bytes[0], FrameHeader.kindOf(buffer, OFFSET, bytes.length));
        assertEquals(golden.frame, golden.decoder.decode(buffer, OFFSET, bytes.length));
    }

    @ParameterizedTest
    @MethodSource("goldenFrames")
    void controlFrameCutShortIsRefused(Golden golden) {
        byte[] bytes = hex(golden.bytes);
        UnsafeBuffer buffer = holding(bytes);
        int fixed = golden.frame instanceof GoodbyeFrame ? 8 : bytes.length - 2;
        for (int length = 0; length < fixed; length++) {
            int cut = length;
            assertThrows(
                    DecodingException.class,
                    () -> {
                        FrameHeader.kindOf(buffer, OFFSET, cut);
                        golden.decoder.decode(buffer, OFFSET, cut);
                    },
                    () -> golden + " of " + cut + " bytes");
        }
    }

    private static final MessageHead HEAD = new MessageHead(9, 0x100, 5, 2, 1, 77, 5 + 24 + 3);

    @Test
    void messageHasItsBytes() {
        var buffer = new UnsafeBuffer(new byte[256]);
        MessageFrame.encode(buffer, OFFSET, HEAD);
        assertEquals(
                "03060000480000000900000000000000000100000500000002000000010000004d00000000000000",
                hex(buffer, MessageFrame.BODY_OFFSET));
        assertEquals(
                HEAD,
                MessageFrame.decode(
                        buffer, OFFSET, MessageFrame.BODY_OFFSET + (int) HEAD.bodyLength()));
    }

    @Test
    void messageOfAPayloadAloneHasItsBytes() {
        var buffer = new UnsafeBuffer(new byte[256]);
        MessageFrame.encode(buffer, OFFSET, 9, 0x100, 5);
        assertEquals(
                "030600002d0000000900000000000000000100000500000000000000000000000000000000000000",
                hex(buffer, MessageFrame.BODY_OFFSET));
        int length = MessageFrame.BODY_OFFSET + 5;
        assertTrue(MessageFrame.isPayloadOnly(buffer, OFFSET, length));
        assertEquals(
                new MessageHead(9, 0x100, 5, 0, 0, 0, 5),
                MessageFrame.decode(buffer, OFFSET, length));
    }

    @Test
    void messageStartHasItsBytes() {
        var buffer = new UnsafeBuffer(new byte[256]);
        MessageStartFrame.encode(buffer, OFFSET, HEAD);
        assertEquals(
                "04060000300000000900000000000000000100000500000002000000010000004d00000000000000"
                        + "2000000000000000",
                hex(buffer, MessageStartFrame.LENGTH));
        assertEquals(HEAD, MessageStartFrame.decode(buffer, OFFSET, MessageStartFrame.LENGTH));
        assertThrows(
                DecodingException.class,
                () -> MessageStartFrame.decode(buffer, OFFSET, MessageStartFrame.LENGTH - 1));
    }

    @Test
    void chunkHasItsBytes() {
        var buffer = new UnsafeBuffer(new byte[256]);
        ChunkFrame.encode(buffer, OFFSET, 77, 0x10000, 64);
        assertEquals(
                "0506000060000000" + "4d00000000000000" + "0000010000000000" + "0000000000000000",
                hex(buffer, ChunkFrame.PART_OFFSET));
        assertEquals(77, ChunkFrame.transfer(buffer, OFFSET));
        assertEquals(0x10000, ChunkFrame.position(buffer, OFFSET));
        assertThrows(
                DecodingException.class, () -> ChunkFrame.requireWhole(ChunkFrame.PART_OFFSET));
    }

    @Test
    void bufferEntryHasItsBits() {
        long entry = BufferEntry.of(ElementKind.FLOAT, 0x123456789abcL & ~3, true);
        assertEquals(0x0105123456789abcL & ~3, entry);
        assertEquals(ElementKind.FLOAT, BufferEntry.kind(entry));
        assertEquals(0x123456789abcL & ~3, BufferEntry.length(entry));
        assertTrue(BufferEntry.isSingleCopy(entry));
    }

    @Test
    void bufferEntryWithoutSenseIsRefused() {
        assertThrows(DecodingException.class, () -> BufferEntry.kind(0x0007_000000000004L));
        assertThrows(DecodingException.class, () -> BufferEntry.kind(0x0005_000000000003L));
        assertThrows(DecodingException.class, () -> BufferEntry.isSingleCopy(0x0200_000000000004L));
    }

    @Test
    void headWithImpossibleNumbersIsRefused() {
        assertThrows(DecodingException.class, () -> new MessageHead(1, 0x100, -1, 0, 0, 0, 100));
        assertThrows(DecodingException.class, () -> new MessageHead(1, 0x100, 0, -1, 0, 0, 100));
        assertThrows(
                DecodingException.class, () -> new MessageHead(1, 0x100, 0, 65_537, 0, 0, 1 << 30));
        assertThrows(DecodingException.class, () -> new MessageHead(1, 0x100, 0, 1, 2, 0, 100));
        assertThrows(DecodingException.class, () -> new MessageHead(1, 0x100, 10, 2, 0, 0, 25));
    }

    @Test
    void anotherVersionIsRefusedByName() {
        UnsafeBuffer buffer = holding(hex("08040000 08000000"));
        var refusal =
                assertThrows(DecodingException.class, () -> FrameHeader.kindOf(buffer, OFFSET, 8));
        assertEquals("a frame of protocol version 4; this worker speaks 6", refusal.getMessage());
    }

    @Test
    void aFrameThatDoesNotKnowItsLengthIsRefused() {
        UnsafeBuffer buffer = holding(hex("08060000 09000000"));
        assertThrows(DecodingException.class, () -> FrameHeader.kindOf(buffer, OFFSET, 8));
    }

    @Test
    void aLongTextIsCut() {
        var frame = new GoodbyeFrame("x".repeat(5000));
        assertEquals(FrameHeader.HEADER_LENGTH + ControlFrame.MAX_TEXT, frame.encodedLength());
    }
}
