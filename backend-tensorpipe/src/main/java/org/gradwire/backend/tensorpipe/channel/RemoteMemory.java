package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.backend.tensorpipe.os.LibC;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The memory of a peer's process on this host, read with {@code process_vm_readv} between two reads
 * of the peer's {@link MemoryCanary}.
 *
 * <p>Not thread-safe.
 */
public final class RemoteMemory {
    /** Error number of reads with a wrong canary or too few bytes. */
    public static final int CANARY_MISSING = 14; // EFAULT

    private static final long MOST_AT_ONCE = 256L * 1024 * 1024;
    private static final int PARTS = 3;
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(FrameHeader.ORDER);

    private final Arena arena = Arena.ofAuto();
    private final int pid;
    private final long canaryAddress;
    private final Nonce expected;
    private final MemorySegment canaries = arena.allocate(2L * Nonce.BYTES, 8);
    private final MemorySegment local = arena.allocate((long) PARTS * LibC.IOVEC_BYTES, 8);
    private final MemorySegment remote = arena.allocate((long) PARTS * LibC.IOVEC_BYTES, 8);
    private final MemorySegment error = LibC.errorPlace(arena);

    public RemoteMemory(MemoryLocation location) {
        pid = location.pid();
        canaryAddress = location.proofAddress();
        expected = location.proof();
    }

    /** {@return whether the memory can be read and has the peer's canary} */
    public boolean isReadable() {
        return read(canaryAddress, MemorySegment.NULL, 0, 0) == 0;
    }

    /**
     * Fill native memory from the peer's memory.
     *
     * @return 0, or an error number
     */
    int read(long address, MemorySegment to) {
        for (long done = 0; done < to.byteSize(); done += MOST_AT_ONCE) {
            long bytes = Math.min(MOST_AT_ONCE, to.byteSize() - done);
            int failure = read(address + done, to, done, bytes);
            if (failure != 0) {
                return failure;
            }
        }
        return 0;
    }

    private int read(long address, MemorySegment to, long offset, long bytes) {
        canaries.fill((byte) 0);
        long first = canaries.address();
        set(0, first, canaryAddress, Nonce.BYTES);
        set(1, to.address() + offset, address, bytes);
        set(2, first + Nonce.BYTES, canaryAddress, Nonce.BYTES);
        long read = LibC.readMemory(pid, local, PARTS, remote, PARTS, error);
        if (read < 0) {
            return (int) -read;
        }
        boolean whole = read == bytes + canaries.byteSize();
        return whole && isCanary(0) && isCanary(Nonce.BYTES) ? 0 : CANARY_MISSING;
    }

    private boolean isCanary(long offset) {
        return canaries.get(WORD, offset) == expected.first()
                && canaries.get(WORD, offset + Long.BYTES) == expected.second();
    }

    private void set(int part, long localAddress, long remoteAddress, long bytes) {
        long at = (long) part * LibC.IOVEC_BYTES;
        local.set(ValueLayout.JAVA_LONG, at, localAddress);
        local.set(ValueLayout.JAVA_LONG, at + Long.BYTES, bytes);
        remote.set(ValueLayout.JAVA_LONG, at, remoteAddress);
        remote.set(ValueLayout.JAVA_LONG, at + Long.BYTES, bytes);
    }
}
