package org.gradwire.backend.tensorpipe.frame;

import org.gradwire.spi.DecodingException;

/**
 * The fields of a message before its body, which {@link MessageFrame} and {@link MessageStartFrame}
 * share.
 *
 * @param id of the request, chosen by the caller; a reply has the id of its request
 * @param type of the message
 * @param payloadLength in bytes
 * @param bufferCount number of inline and single-copy buffers
 * @param singleCopyCount number of the buffers that are not in the body
 * @param transfer number that identifies a message in chunks or with single-copy buffers to its
 *     sender; 0 for others
 * @param bodyLength bytes of table, addresses, payload and inline buffers
 */
public record MessageHead(
        long id,
        int type,
        int payloadLength,
        int bufferCount,
        int singleCopyCount,
        long transfer,
        long bodyLength)
        implements MessageFields {

    /** Maximal number of buffers of a message. */
    public static final int MAX_BUFFERS = 65_536;

    public MessageHead {
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

    /** {@return bytes of the prologue of a body: the table and the addresses} */
    public int prologueLength() {
        return prologueLength(bufferCount, singleCopyCount);
    }

    public static int prologueLength(int bufferCount, int singleCopyCount) {
        return (bufferCount + singleCopyCount) * Long.BYTES;
    }
}
