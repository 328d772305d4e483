package org.gradwire.device.cuda;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The description of memory for another process.
 *
 * @param device the device's UUID, in hexadecimal
 * @param memory handle of a segment
 * @param offset of the exported bytes in the segment
 * @param event handle of an event, recorded after the work that writes the memory
 */
record Export(String device, byte[] memory, long offset, long bytes, byte[] event) {
    private static final int UUID_BYTES = 16;
    private static final int LENGTH = UUID_BYTES + 2 * DriverSharing.HANDLE_BYTES + 2 * Long.BYTES;

    byte[] encoded() {
        return ByteBuffer.allocate(LENGTH)
                .put(HexFormat.of().parseHex(device))
                .put(memory)
                .putLong(offset)
                .putLong(bytes)
                .put(event)
                .array();
    }

    /**
     * Read a description that a peer sent.
     *
     * @throws IllegalArgumentException when it is malformed
     */
    static Export decoded(byte[] encoded) {
        if (encoded.length != LENGTH) {
            throw new IllegalArgumentException(
                    "a description of device memory has %d bytes, not %d"
                            .formatted(LENGTH, encoded.length));
        }
        ByteBuffer in = ByteBuffer.wrap(encoded);
        String device = HexFormat.of().formatHex(read(in, UUID_BYTES));
        byte[] memory = read(in, DriverSharing.HANDLE_BYTES);
        var export =
                new Export(
                        device,
                        memory,
                        in.getLong(),
                        in.getLong(),
                        read(in, DriverSharing.HANDLE_BYTES));
        if (export.offset < 0 || export.bytes < 0) {
            throw new IllegalArgumentException(
                    "a description of device memory names %d bytes at %d"
                            .formatted(export.bytes, export.offset));
        }
        return export;
    }

    private static byte[] read(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
