package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Sixteen bytes in this process's memory, chosen by a peer that reads large buffers there.
 *
 * <p>The peer reads it before and after each buffer, in the same system call. It proves that the
 * peer reads the right process, and that the buffer was not released before the read: the canary is
 * revoked before memory is released that the peer may still read. Thread-safe.
 */
public final class MemoryCanary {
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(FrameHeader.ORDER);

    // Never closed: a late reader must find zeros or the canary, not other memory.
    private final MemorySegment memory = Arena.ofAuto().allocate(Nonce.BYTES, 16);
    private boolean isRevoked;

    /**
     * Place the bytes that the peer chose, unless the canary is revoked.
     *
     * @return their address
     */
    public synchronized long place(Nonce proof) {
        if (!isRevoked) {
            memory.set(WORD, 0, proof.first());
            memory.set(WORD, Long.BYTES, proof.second());
            VarHandle.fullFence();
        }
        return memory.address();
    }

    /** Make every later read fail. */
    public synchronized void revoke() {
        isRevoked = true;
        memory.fill((byte) 0);
        VarHandle.fullFence();
    }
}
