package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

/**
 * Limits the size of single messages.
 *
 * @param maxBytes of payload and buffers
 */
record MessageLimits(long maxBytes) {

    /** {@return the failure of a send of a message; null if it is within the limits} */
    @Nullable RpcException refusal(Message message) {
        long bytes = message.byteSize();
        if (bytes > maxBytes) {
            return new RpcException(
                    RpcErrorKind.REFUSED,
                    "message of %d bytes refused: it exceeds %s=%d"
                            .formatted(bytes, SettingKeys.MAX_MESSAGE_BYTES, maxBytes));
        }
        if (message.buffers().size() > MessageHead.MAX_BUFFERS) {
            return new RpcException(
                    RpcErrorKind.REFUSED,
                    "message with %d buffers refused; at most %d"
                            .formatted(message.buffers().size(), MessageHead.MAX_BUFFERS));
        }
        return null;
    }

    /**
     * Check the size of an inbound message.
     *
     * @throws DecodingException if it is too large
     */
    void require(long bytes) {
        if (bytes > maxBytes) {
            throw new DecodingException(
                    "a message of %d bytes; %s=%d"
                            .formatted(bytes, SettingKeys.MAX_MESSAGE_BYTES, maxBytes));
        }
    }
}
