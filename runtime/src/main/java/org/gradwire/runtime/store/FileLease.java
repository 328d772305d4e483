package org.gradwire.runtime.store;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Store;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The lease of a key in a {@link FileLog}, as its reader last saw it.
 *
 * @param position in the file: {@code life:8 id:8 stamp:8}
 * @param stamp changed by each renewal
 * @param seenNanos the time when the reader saw the stamp first
 */
record FileLease(long position, long id, long lifeNanos, long stamp, long seenNanos) {
    private static final int STAMP_OFFSET = 2 * Long.BYTES;

    static FileLease read(DataInputStream in, long position) throws IOException {
        long life = in.readLong();
        if (life < Store.MIN_LEASE.toNanos() || life > Store.MAX_LEASE.toNanos()) {
            throw new DecodingException("a lease has a time to live of %d ns".formatted(life));
        }
        return new FileLease(position, in.readLong(), life, in.readLong(), System.nanoTime());
    }

    byte[] encode() {
        return ByteBuffer.allocate(STAMP_OFFSET + Long.BYTES)
                .putLong(lifeNanos)
                .putLong(id)
                .putLong(stamp)
                .array();
    }

    boolean isOverdue() {
        return System.nanoTime() - seenNanos > lifeNanos;
    }

    /** {@return the lease as the file has it now; this one if it was not renewed} */
    FileLease readAgain(FileChannel file) throws IOException {
        var bytes = ByteBuffer.allocate(Long.BYTES);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, position + STAMP_OFFSET + bytes.position()) < 0) {
                throw new EOFException("a lease was truncated");
            }
        }
        long present = bytes.getLong(0);
        return present == stamp
                ? this
                : new FileLease(position, id, lifeNanos, present, System.nanoTime());
    }

    FileLease renew(FileChannel file) throws IOException {
        var next = new FileLease(position, id, lifeNanos, stamp + 1, System.nanoTime());
        var bytes = ByteBuffer.allocate(Long.BYTES).putLong(next.stamp).flip();
        while (bytes.hasRemaining()) {
            file.write(bytes, position + STAMP_OFFSET + bytes.position());
        }
        return next;
    }
}
