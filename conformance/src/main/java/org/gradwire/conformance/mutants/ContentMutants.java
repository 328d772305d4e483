package org.gradwire.conformance.mutants;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Mutants that lose messages of some sizes, misread slices, or change types. */
final class ContentMutants {
    private static final int FRAME = 4_096;
    private static final int CHUNK = 16_384;
    private static final int HEADER = 20;
    private static final int HALF_BITS = 0xFFFF;
    private static final int BYTE_BITS = 0xFF;
    private static final int HIGH_BIT = 0x80;

    static final List<Mutant> ALL =
            List.of(
                    // A request that fills its frame exactly is lost.
                    Mutant.ofAgents(
                            "LOSES_A_FULL_FRAME",
                            List.of("SIZE-3"),
                            (_, agent) -> new Loses(agent, ContentMutants::fillsAFrame)),
                    // A reply whose last chunk would be empty is lost.
                    Mutant.ofReplies(
                            "LOSES_A_REPLY_OF_WHOLE_CHUNKS",
                            List.of("SIZE-3"),
                            () ->
                                    (handler, reply) -> {
                                        if (reply.byteSize() != CHUNK - HEADER) {
                                            handler.onReply(reply);
                                        }
                                    }),
                    // The payload length has 16 bits.
                    Mutant.ofRequests(
                            "CUTS_A_LENGTH_TO_TWO_BYTES",
                            List.of("SIZE-3", "SEND-2"),
                            ContentMutants::withShortLength),
                    // The buffer count has too few bits.
                    Mutant.ofRequests(
                            "COUNTS_BUFFERS_IN_A_BYTE",
                            List.of("SIZE-3", "SIZE-1"),
                            message ->
                                    with(
                                            message,
                                            message.buffers()
                                                    .subList(
                                                            0,
                                                            message.buffers().size() & BYTE_BITS))),
                    // Messages of one size to oneself are lost.
                    Mutant.ofAgents(
                            "LOSES_A_SIZE_TO_ITSELF",
                            List.of("SIZE-3"),
                            (context, agent) -> new LosesToItself(agent, context.self().id())),
                    // A slice is read from the beginning of its array.
                    sending("READS_SLICES_FROM_THE_BASE", ContentMutants::fromTheBase),
                    // A slice in a reply is read from the beginning of its array.
                    replying("READS_SLICES_OF_REPLIES_FROM_THE_BASE", ContentMutants::fromTheBase),
                    // The offset of a slice is added twice.
                    sending("ADDS_AN_OFFSET_TWICE", ContentMutants::withTwiceTheOffset),
                    // The whole array is sent instead of its slice.
                    sending("SENDS_WHOLE_ARRAYS", ContentMutants::whole),
                    // One bit of a type is dropped.
                    Mutant.ofRequests(
                            "DROPS_A_BIT_OF_THE_TYPE",
                            List.of("SEND-11"),
                            message ->
                                    new Message(
                                            message.type() & ~HIGH_BIT,
                                            message.payload(),
                                            message.buffers())),
                    // All replies have the same type.
                    Mutant.ofReplies(
                            "MAKES_UP_THE_TYPE_OF_REPLIES",
                            List.of("SEND-11"),
                            () ->
                                    (handler, reply) ->
                                            handler.onReply(
                                                    new Message(
                                                            MessageTypes.UDF_RET,
                                                            reply.payload(),
                                                            reply.buffers()))));

    private ContentMutants() {}

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

    private static Mutant sending(String name, UnaryOperator<MemorySegment> change) {
        return Mutant.ofAgents(name, List.of("SEND-10"), (_, agent) -> new Changes(agent, change));
    }

    private static Mutant replying(String name, UnaryOperator<MemorySegment> change) {
        return Mutant.ofAgents(
                name,
                List.of("SEND-10"),
                agent ->
                        new MutantAgent(agent) {
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

    /** {@return the array of a heap segment, or the segment itself} */
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

    /** Replaces the buffers that it sends. */
    private static final class Changes extends MutantAgent {
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

    /** Drops certain requests. */
    private static final class Loses extends MutantAgent {
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

    private static final class LosesToItself extends MutantAgent {
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
