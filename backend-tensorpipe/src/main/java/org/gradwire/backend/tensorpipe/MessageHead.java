package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.DecodingException;

/**
 * What is known of a message before its body: the fields that {@link MessageFrame} and {@link
 * MessageStartFrame} share.
 *
 * @param id of the request, given by the requester; a reply bears that of its request
 * @param type of the message
 * @param payloadLength in bytes
 * @param bufferCount inline and single-copy ones
 * @param singleCopyCount of the buffers, those that are not in the body
 * @param transfer number by which the sender knows a message that is chunked or has single-copy
 *     buffers; 0 for others
 * @param bodyLength bytes of table, addresses, payload and inline buffers
 */
record MessageHead(
        long id,
        int type,
        int payloadLength,
        int bufferCount,
        int singleCopyCount,
        long transfer,
        long bodyLength)
        implements MessageFields {

    /** The most buffers of a message. */
    static final int MAX_BUFFERS = 65_536;

    MessageHead {
        if (payloadLength < 0) {
            throw new DecodingException("a payload of %d bytes".formatted(payloadLength));
        }
        if (bufferCount < 0 || bufferCount > MAX_BUFFERS) {
            throw new DecodingException(
                    "%d buffers in a message; at most %d".formatted(bufferCount, MAX_BUFFERS));
        }
        if (singleCopyCount < 0 || singleCopyCount > bufferCount) {
            throw new DecodingException(
                    "%d of %d buffers to be read by single copy"
                            .formatted(singleCopyCount, bufferCount));
        }
        long least = prologueLength(bufferCount, singleCopyCount) + (long) payloadLength;
        if (bodyLength < least) {
            throw new DecodingException(
                    "a body of %d bytes; its table and payload alone have %d"
                            .formatted(bodyLength, least));
        }
    }

    /** {@return bytes of the table and the addresses, with which a body begins} */
    int prologueLength() {
        return prologueLength(bufferCount, singleCopyCount);
    }

    static int prologueLength(int bufferCount, int singleCopyCount) {
        return (bufferCount + singleCopyCount) * Long.BYTES;
    }
}
