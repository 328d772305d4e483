package org.gradwire.backend.tensorpipe.frame;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Fuzz target: one frame of a member. A control frame that can be decoded is encoded again. */
public final class FrameTarget {
    private static final int MOST_READ = 64;

    private FrameTarget() {}

    /** Decode a frame. */
    public static void fuzzerTestOneInput(byte[] input) {
        var buffer = new UnsafeBuffer(input);
        try {
            ControlFrame frame = decode(buffer, input.length);
            if (frame != null) {
                requireSame(frame, buffer);
            }
        } catch (DecodingException _) { // the expected end of a malformed frame
        }
    }

    private static @Nullable ControlFrame decode(DirectBuffer in, int length) {
        int kind = FrameHeader.kindOf(in, 0, length);
        return switch (kind) {
            case FrameHeader.HELLO -> HelloFrame.decode(in, 0, length);
            case FrameHeader.HELLO_ACK -> HelloAckFrame.decode(in, 0, length);
            case FrameHeader.ABORT -> AbortFrame.decode(in, 0, length);
            case FrameHeader.SINGLE_COPY_DONE -> SingleCopyDoneFrame.decode(in, 0, length);
            case FrameHeader.HEARTBEAT -> HeartbeatFrame.decode(in, 0, length);
            case FrameHeader.GOODBYE -> GoodbyeFrame.decode(in, 0, length);
            case FrameHeader.REJECT -> RejectFrame.decode(in, 0, length);
            case FrameHeader.MEMORY_OFFER -> MemoryOfferFrame.decode(in, 0, length);
            case FrameHeader.MEMORY_ACCEPT -> MemoryAcceptFrame.decode(in, 0, length);
            default -> {
                message(kind, in, length);
                yield null;
            }
        };
    }

    private static void message(int kind, DirectBuffer in, int length) {
        switch (kind) {
            case FrameHeader.MESSAGE -> {
                if (MessageFrame.isPayloadOnly(in, 0, length)) {
                    MessageFrame.idOr(0, in, 0, length);
                    MessageFrame.typeOr(0, in, 0, length);
                } else {
                    body(MessageFrame.decode(in, 0, length), in, length);
                }
            }
            case FrameHeader.MESSAGE_START -> MessageStartFrame.decode(in, 0, length);
            case FrameHeader.CHUNK -> {
                ChunkFrame.requireWhole(length);
                ChunkFrame.transfer(in, 0);
                ChunkFrame.position(in, 0);
            }
            default -> {}
        }
    }

    /** Read the table of a message whose body is in the frame. */
    private static void body(MessageHead head, DirectBuffer in, int length) {
        if (head.prologueLength() > length - MessageFrame.BODY_OFFSET) {
            throw new AssertionError(head + " in a frame of " + length + " bytes");
        }
        byte[] prologue = new byte[head.prologueLength()];
        in.getBytes(MessageFrame.BODY_OFFSET, prologue);
        for (int i = 0; i < Math.min(head.bufferCount(), MOST_READ); i++) {
            long entry = BufferEntry.get(prologue, i);
            BufferEntry.kind(entry);
            if (BufferEntry.length(entry) < 0) {
                throw new AssertionError("a buffer of " + BufferEntry.length(entry) + " bytes");
            }
        }
    }

    private static void requireSame(ControlFrame frame, DirectBuffer original) {
        var encoded = new UnsafeBuffer(new byte[frame.encodedLength()]);
        frame.encode(encoded, 0);
        if (!frame.equals(decode(encoded, encoded.capacity()))) {
            throw new AssertionError(
                    "%s changes when it is encoded: %s of %s"
                            .formatted(
                                    frame,
                                    Arrays.toString(encoded.byteArray()),
                                    Arrays.toString(original.byteArray())));
        }
    }

    /** {@return a frame of each kind} */
    public static List<byte[]> seeds() {
        var party = new Authenticator.Party(1, 2);
        var nonce = new Nonce(3, 4);
        List<byte[]> seeds = new ArrayList<>();
        List.of(
                        new HelloFrame(true, true, 5, party, party, nonce, nonce),
                        new AbortFrame(1),
                        new SingleCopyDoneFrame(1, 2),
                        new HeartbeatFrame(),
                        new GoodbyeFrame("a reason"),
                        new RejectFrame(1, 2, "a reason"),
                        new MemoryOfferFrame(1),
                        new MemoryAcceptFrame())
                .forEach(frame -> {
                    var encoded = new UnsafeBuffer(new byte[frame.encodedLength()]);
                    frame.encode(encoded, 0);
                    seeds.add(encoded.byteArray());
                });
        seeds.add(messageSeed(0));
        seeds.add(messageSeed(2));
        return seeds;
    }

    private static byte[] messageSeed(int buffers) {
        int body = buffers * Long.BYTES + 10;
        var head = new MessageHead(7, MessageTypes.UDF_CALL, 10 - buffers * 4, buffers, 0, 0, body);
        var frame = new UnsafeBuffer(new byte[MessageFrame.BODY_OFFSET + body]);
        FrameHeader.encode(frame, 0, FrameHeader.MESSAGE, 0, frame.capacity());
        MessageFrame.encodeFields(frame, 0, head);
        for (int i = 0; i < buffers; i++) {
            frame.putLong(
                    MessageFrame.BODY_OFFSET + i * Long.BYTES,
                    BufferEntry.of(ElementKind.FLOAT, 4, false));
        }
        return frame.byteArray();
    }
}
