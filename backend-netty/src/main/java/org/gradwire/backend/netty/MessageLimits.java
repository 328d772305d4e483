package org.gradwire.backend.netty;

import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

/**
 * Limits of messages, in bytes of payload and buffers.
 *
 * @param sendQueueBytes of all messages that wait to be sent to a peer
 * @param maxMessageBytes of a message
 * @param receiveBytes of all messages that are arriving, from all peers
 */
record MessageLimits(long sendQueueBytes, long maxMessageBytes, long receiveBytes) {

    /** {@return the reason to refuse a message for its size; null for none} */
    @Nullable String excessOf(Message message) {
        if (message.byteSize() > maxMessageBytes) {
            return "message of %d bytes refused: it exceeds %s=%d"
                    .formatted(message.byteSize(), SettingKeys.MAX_MESSAGE_BYTES, maxMessageBytes);
        }
        if (message.buffers().size() > FrameHeader.MAX_BUFFERS) {
            return "message with %d buffers refused; at most %d"
                    .formatted(message.buffers().size(), FrameHeader.MAX_BUFFERS);
        }
        return null;
    }
}
