package org.gradwire.backend.tensorpipe;

import org.agrona.DirectBuffer;
import org.gradwire.backend.tensorpipe.frame.AbortFrame;
import org.gradwire.backend.tensorpipe.frame.ChunkFrame;
import org.gradwire.backend.tensorpipe.frame.MessageFrame;
import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.backend.tensorpipe.frame.MessageStartFrame;
import org.gradwire.backend.tensorpipe.frame.RejectFrame;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the messages of one inbound session from their frames; at most one message is
 * unfinished at a time.
 *
 * <p>Confined to the receive loop.
 */
final class MessageAssembler {

    /** Creates messages and handles complete ones; implemented by {@link FrameDispatcher}. */
    interface Handler {

        /** Handle a message whose body has arrived, and release it. */
        void onMessage(Peer from, InboundMessage message);

        /** Handle a message without buffers, whose payload is in one frame. */
        void onPayload(Peer from, long id, int type, DirectBuffer buffer, int offset, int length);

        /** {@return a message whose body is in one frame} */
        InboundMessage create(Peer from, MessageHead head);

        /**
         * {@return a message that will arrive in chunks}
         *
         * @throws DecodingException if it exceeds the budget
         */
        InboundMessage createChunked(Peer from, MessageHead head);

        /**
         * Handle an invalid frame.
         *
         * @param from null if the session is of no known member
         * @param id of the frame's message, or {@link RejectFrame#SESSION}
         */
        void onRejected(@Nullable Peer from, long id, int type, DecodingException why);

        /** Handle a lack of memory for a message. */
        void onNoMemory(Peer from, MessageHead head, OutOfMemoryError why);
    }

    private final Handler handler;
    private @Nullable InboundMessage unfinished;
    private long droppedTransfer = -1;
    private int checksWithoutProgress;

    MessageAssembler(Handler handler) {
        this.handler = handler;
    }

    /** Drop the unfinished message, if any. */
    void dropUnfinished() {
        InboundMessage message = unfinished;
        if (message != null) {
            unfinished = null;
            message.release();
        }
    }

    /** Handle a MESSAGE frame. */
    void onMessage(Peer from, DirectBuffer buffer, int offset, int length) {
        try {
            try {
                takeMessage(from, buffer, offset, length);
            } catch (OutOfMemoryError e) {
                handler.onNoMemory(from, MessageFrame.decode(buffer, offset, length), e);
            }
        } catch (DecodingException e) {
            reject(from, buffer, offset, length, e);
        }
    }

    private void takeMessage(Peer from, DirectBuffer buffer, int offset, int length) {
        int body = offset + MessageFrame.BODY_OFFSET;
        int bodyLength = length - MessageFrame.BODY_OFFSET;
        if (MessageFrame.isPayloadOnly(buffer, offset, length)) {
            handler.onPayload(
                    from,
                    MessageFrame.idOr(RejectFrame.SESSION, buffer, offset, length),
                    MessageFrame.typeOr(0, buffer, offset, length),
                    buffer,
                    body,
                    bodyLength);
            return;
        }
        InboundMessage message = handler.create(from, MessageFrame.decode(buffer, offset, length));
        boolean isWhole = false;
        try {
            message.begin();
            message.append(buffer, body, bodyLength);
            isWhole = true;
        } finally {
            if (!isWhole) {
                message.release();
            }
        }
        handler.onMessage(from, message);
    }

    /** Handle a MESSAGE_START frame. */
    void onStart(Peer from, DirectBuffer buffer, int offset, int length) {
        dropUnfinished();
        try {
            MessageHead head = MessageStartFrame.decode(buffer, offset, length);
            droppedTransfer = head.transfer();
            try {
                InboundMessage message = handler.createChunked(from, head);
                unfinished = message;
                message.begin();
                endIfComplete(from);
            } catch (OutOfMemoryError e) {
                dropUnfinished();
                handler.onNoMemory(from, head, e);
            }
        } catch (DecodingException e) {
            dropUnfinished();
            reject(from, buffer, offset, length, e);
        }
    }

    private void endIfComplete(Peer from) {
        InboundMessage message = unfinished;
        if (message != null && message.isComplete()) {
            unfinished = null;
            handler.onMessage(from, message);
        }
    }

    private void reject(
            Peer from, DirectBuffer buffer, int offset, int length, DecodingException why) {
        handler.onRejected(
                from,
                MessageFrame.idOr(RejectFrame.SESSION, buffer, offset, length),
                MessageFrame.typeOr(0, buffer, offset, length),
                why);
    }

    /** Handle a CHUNK frame. */
    void onChunk(Peer from, DirectBuffer buffer, int offset, int length) {
        ChunkFrame.requireWhole(length);
        long transfer = ChunkFrame.transfer(buffer, offset);
        InboundMessage message = unfinished;
        if (message == null || message.head().transfer() != transfer) {
            if (transfer == droppedTransfer) {
                return; // the rest of a rejected message
            }
            throw new DecodingException("a chunk of transfer " + transfer + ", which has no start");
        }
        int partLength = length - ChunkFrame.PART_OFFSET;
        try {
            requirePosition(message, ChunkFrame.position(buffer, offset));
            message.append(buffer, offset + ChunkFrame.PART_OFFSET, partLength);
            endIfComplete(from);
        } catch (DecodingException e) {
            dropUnfinished();
            handler.onRejected(from, message.head().id(), message.head().type(), e);
        } catch (OutOfMemoryError e) {
            dropUnfinished();
            handler.onNoMemory(from, message.head(), e);
        }
    }

    private static void requirePosition(InboundMessage message, long position) {
        if (position != message.bodyPosition()) {
            throw new DecodingException(
                    "a chunk at %d of a body of which %d bytes have arrived"
                            .formatted(position, message.bodyPosition()));
        }
    }

    /** Handle an ABORT frame. */
    void onAbort(AbortFrame abort) {
        InboundMessage message = unfinished;
        if (message != null && message.head().transfer() == abort.transfer()) {
            dropUnfinished();
        }
    }

    /**
     * Check the unfinished message, and drop it after the given number of consecutive checks
     * without a message frame. A running sender writes its frames as soon as there is room, small
     * messages first.
     *
     * @param hasProgress whether a message frame has arrived since the last check
     * @return whether a message is unfinished
     */
    boolean dropIfStalled(@Nullable Peer from, int checks, boolean hasProgress) {
        InboundMessage message = unfinished;
        checksWithoutProgress = message == null || hasProgress ? 0 : checksWithoutProgress + 1;
        if (message != null && checksWithoutProgress == checks) {
            dropUnfinished();
            handler.onRejected(from, message.head().id(), message.head().type(), stalled(message));
        }
        return unfinished != null;
    }

    private static DecodingException stalled(InboundMessage message) {
        return new DecodingException(
                "a message has stalled: %d of %d bytes have arrived"
                        .formatted(message.bodyPosition(), message.head().bodyLength()));
    }
}
