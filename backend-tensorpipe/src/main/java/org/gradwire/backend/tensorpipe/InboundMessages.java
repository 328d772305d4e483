package org.gradwire.backend.tensorpipe;

import org.agrona.DirectBuffer;
import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;

/**
 * Creates inbound messages within the limits of size and memory.
 *
 * @param limits of single messages
 * @param budget limit for all arriving messages together
 */
record InboundMessages(MessageLimits limits, BufferAllocator allocator, ReceiveBudget budget) {

    /** {@return the copied payload of a message without buffers} */
    byte[] payload(DirectBuffer buffer, int offset, int length) {
        limits.require(length);
        byte[] payload = new byte[length];
        buffer.getBytes(offset, payload);
        return payload;
    }

    /** {@return a message whose body is in one frame} */
    InboundMessage create(Peer from, MessageHead head) {
        // A message whose buffers are still to be read may wait for them.
        ReceiveBudget.Claim claim =
                head.singleCopyCount() == 0 ? null : budget.claim(from.arriving());
        return new InboundMessage(head, limits, allocator, claim);
    }

    /**
     * {@return a message that will arrive in chunks}
     *
     * @throws DecodingException if it exceeds the budget
     */
    InboundMessage createChunked(Peer from, MessageHead head) {
        ReceiveBudget.Claim claim = budget.claim(from.arriving());
        var message = new InboundMessage(head, limits, allocator, claim);
        claim.requireRoomFor(head.bodyLength() - head.prologueLength(), head.payloadLength());
        return message;
    }
}
