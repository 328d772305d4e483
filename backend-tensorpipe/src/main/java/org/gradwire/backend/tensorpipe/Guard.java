package org.gradwire.backend.tensorpipe;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Sixteen bytes in this process's memory, chosen by a peer that reads large buffers there.
 *
 * <p>The peer reads them together with each buffer, before and after it, in one system call. They
 * prove that it reads the right process, and that the buffer was not released before it was read:
 * the guard is revoked before memory is released that the peer may still read. Thread-safe.
 */
final class Guard {
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(FrameHeader.ORDER);

    // Not one that is closed: a late reader must find zeros or the guard, not other memory.
    private final MemorySegment memory = Arena.ofAuto().allocate(Nonce.BYTES, 16);
    private boolean isRevoked;

    /**
     * Place the bytes that the peer has chosen, unless the guard is revoked.
     *
     * @return their address
     */
    synchronized long place(Nonce proof) {
        if (!isRevoked) {
            memory.set(WORD, 0, proof.first());
            memory.set(WORD, Long.BYTES, proof.second());
            VarHandle.fullFence();
        }
        return memory.address();
    }

    /** Make every reading from now on fail. */
    synchronized void revoke() {
        isRevoked = true;
        memory.fill((byte) 0);
        VarHandle.fullFence();
    }
}
