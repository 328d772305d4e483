package org.gradwire.conformance.flaws;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Messages of one size that get lost, slices that are read elsewhere, types that change. */
final class ContentFlaws {
    private static final int FRAME = 4_096;
    private static final int CHUNK = 16_384;
    private static final int HEADER = 20;
    private static final int HALF_BITS = 0xFFFF;
    private static final int BYTE_BITS = 0xFF;
    private static final int HIGH_BIT = 0x80;

    static final List<Flaw> ALL =
            List.of(
                    // A request that fills its frame waits for a next one.
                    Flaw.ofAgents(
                            "LOSES_A_FULL_FRAME",
                            List.of("SIZE-3"),
                            (_, agent) -> new Loses(agent, ContentFlaws::fillsAFrame)),
                    // A reply whose last chunk would be empty has none.
                    Flaw.ofReplies(
                            "LOSES_A_REPLY_OF_WHOLE_CHUNKS",
                            List.of("SIZE-3"),
                            () ->
                                    (handler, reply) -> {
                                        if (reply.byteSize() != CHUNK - HEADER) {
                                            handler.onReply(reply);
                                        }
                                    }),
                    // The length of a payload has 16 bits.
                    Flaw.ofRequests(
                            "CUTS_A_LENGTH_TO_TWO_BYTES",
                            List.of("SIZE-3", "SEND-2"),
                            ContentFlaws::withShortLength),
                    // So many buffers are counted as none.
                    Flaw.ofRequests(
                            "COUNTS_BUFFERS_IN_A_BYTE",
                            List.of("SIZE-3", "SIZE-1"),
                            message ->
                                    with(
                                            message,
                                            message.buffers()
                                                    .subList(
                                                            0,
                                                            message.buffers().size() & BYTE_BITS))),
                    // What a worker sends to itself gets lost when it has one size.
                    Flaw.ofAgents(
                            "LOSES_A_SIZE_TO_ITSELF",
                            List.of("SIZE-3"),
                            (context, agent) -> new LosesToItself(agent, context.self().id())),
                    // A slice of an array begins where the array does.
                    sending("READS_SLICES_FROM_THE_BASE", ContentFlaws::fromTheBase),
                    // So it is with replies only.
                    replying("READS_SLICES_OF_REPLIES_FROM_THE_BASE", ContentFlaws::fromTheBase),
                    // The offset of a slice is added to itself.
                    sending("ADDS_AN_OFFSET_TWICE", ContentFlaws::withTwiceTheOffset),
                    // The whole array is sent for a slice of it.
                    sending("SENDS_WHOLE_ARRAYS", ContentFlaws::whole),
                    // One bit of a type is for something else.
                    Flaw.ofRequests(
                            "DROPS_A_BIT_OF_THE_TYPE",
                            List.of("SEND-11"),
                            message ->
                                    new Message(
                                            message.type() & ~HIGH_BIT,
                                            message.payload(),
                                            message.buffers())),
                    // All replies have one type.
                    Flaw.ofReplies(
                            "MAKES_UP_THE_TYPE_OF_REPLIES",
                            List.of("SEND-11"),
                            () ->
                                    (handler, reply) ->
                                            handler.onReply(
                                                    new Message(
                                                            MessageTypes.PYTHON_RET,
                                                            reply.payload(),
                                                            reply.buffers()))));

    private ContentFlaws() {}

    private static boolean fillsAFrame(Message message) {
        return message.byteSize() == FRAME;
    }

    private static Message with(Message message, List<MemorySegment> buffers) {
        return new Message(message.type(), message.payload(), buffers);
    }

    private static Message withShortLength(Message message) {
        byte[] payload = message.payload();
        return new Message(
                message.type(),
                Arrays.copyOf(payload, payload.length & HALF_BITS),
                message.buffers());
    }

    private static Flaw sending(String name, UnaryOperator<MemorySegment> change) {
        return Flaw.ofAgents(name, List.of("SEND-10"), (_, agent) -> new Changes(agent, change));
    }

    private static Flaw replying(String name, UnaryOperator<MemorySegment> change) {
        return Flaw.ofAgents(
                name,
                List.of("SEND-10"),
                agent ->
                        new FlawedAgent(agent) {
                            @Override
                            void onRequest(Incoming request) {
                                request.with(reply ->
                                                request.replies().reply(changed(reply, change)))
                                        .handIn();
                            }
                        });
    }

    private static Message changed(Message message, UnaryOperator<MemorySegment> change) {
        List<MemorySegment> buffers = message.buffers().stream().map(change).toList();
        return new Message(message.type(), message.payload(), buffers, message::release);
    }

    private static MemorySegment fromTheBase(MemorySegment slice) {
        return whole(slice).asSlice(0, slice.byteSize());
    }

    private static MemorySegment withTwiceTheOffset(MemorySegment slice) {
        MemorySegment whole = whole(slice);
        long offset = whole.byteSize() == slice.byteSize() ? 0 : 2 * slice.address();
        return offset + slice.byteSize() <= whole.byteSize()
                ? whole.asSlice(offset, slice.byteSize())
                : slice;
    }

    /** {@return the array behind a segment, or the segment where there is none} */
    private static MemorySegment whole(MemorySegment slice) {
        return switch (slice.heapBase().orElse(slice)) {
            case byte[] array -> MemorySegment.ofArray(array);
            case short[] array -> MemorySegment.ofArray(array);
            case int[] array -> MemorySegment.ofArray(array);
            case long[] array -> MemorySegment.ofArray(array);
            case float[] array -> MemorySegment.ofArray(array);
            case double[] array -> MemorySegment.ofArray(array);
            default -> slice;
        };
    }

    /** Sends other memory than it is given. */
    private static final class Changes extends FlawedAgent {
        private final UnaryOperator<MemorySegment> change;

        Changes(RpcAgent sound, UnaryOperator<MemorySegment> change) {
            super(sound);
            this.change = change;
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            super.send(to, changed(request, change), timeoutNanos, handler);
        }
    }

    /** Hands certain requests in nowhere. */
    private static final class Loses extends FlawedAgent {
        private final Predicate<Message> which;

        Loses(RpcAgent sound, Predicate<Message> which) {
            super(sound);
            this.which = which;
        }

        @Override
        void onRequest(Incoming request) {
            if (!which.test(request.message())) {
                request.handIn();
            }
        }
    }

    private static final class LosesToItself extends FlawedAgent {
        private static final long LOST = 1_024;
        private final int self;

        LosesToItself(RpcAgent sound, int self) {
            super(sound);
            this.self = self;
        }

        @Override
        void onRequest(Incoming request) {
            if (request.from() != self || request.message().byteSize() != LOST) {
                request.handIn();
            }
        }
    }
}
