package org.gradwire.backend.tensorpipe;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The memory of a peer's process on this host, read with {@code process_vm_readv} between two looks
 * at the peer's {@link Guard}.
 *
 * <p>Not thread-safe.
 */
final class RemoteMemory {
    /** The error number of reads that found another guard, or fewer bytes than there should be. */
    static final int GUARD_MISSING = 14; // EFAULT

    private static final long MOST_AT_ONCE = 256L * 1024 * 1024;
    private static final int PARTS = 3;
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(FrameHeader.ORDER);

    private final Arena arena = Arena.ofAuto();
    private final int pid;
    private final long guardAddress;
    private final Nonce expected;
    private final MemorySegment guards = arena.allocate(2L * Nonce.BYTES, 8);
    private final MemorySegment local = arena.allocate((long) PARTS * LibC.IOVEC_BYTES, 8);
    private final MemorySegment remote = arena.allocate((long) PARTS * LibC.IOVEC_BYTES, 8);
    private final MemorySegment error = LibC.errorPlace(arena);

    RemoteMemory(MemoryLocation location) {
        pid = location.pid();
        guardAddress = location.proofAddress();
        expected = location.proof();
    }

    /** {@return whether the peer's memory can be read, and is the peer's} */
    boolean isReadable() {
        return read(guardAddress, MemorySegment.NULL, 0, 0) == 0;
    }

    /**
     * Fill native memory from the peer's.
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
        guards.fill((byte) 0);
        long first = guards.address();
        set(0, first, guardAddress, Nonce.BYTES);
        set(1, to.address() + offset, address, bytes);
        set(2, first + Nonce.BYTES, guardAddress, Nonce.BYTES);
        long read = LibC.readMemory(pid, local, PARTS, remote, PARTS, error);
        if (read < 0) {
            return (int) -read;
        }
        boolean whole = read == bytes + guards.byteSize();
        return whole && isGuard(0) && isGuard(Nonce.BYTES) ? 0 : GUARD_MISSING;
    }

    private boolean isGuard(long offset) {
        return guards.get(WORD, offset) == expected.first()
                && guards.get(WORD, offset + Long.BYTES) == expected.second();
    }

    private void set(int part, long localAddress, long remoteAddress, long bytes) {
        long at = (long) part * LibC.IOVEC_BYTES;
        local.set(ValueLayout.JAVA_LONG, at, localAddress);
        local.set(ValueLayout.JAVA_LONG, at + Long.BYTES, bytes);
        remote.set(ValueLayout.JAVA_LONG, at, remoteAddress);
        remote.set(ValueLayout.JAVA_LONG, at + Long.BYTES, bytes);
    }
}
