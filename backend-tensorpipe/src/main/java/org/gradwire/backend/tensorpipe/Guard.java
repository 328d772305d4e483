package org.gradwire.backend.tensorpipe;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Sixteen random bytes in this process's memory, of which one peer knows address and value.
 *
 * <p>The peer reads them together with each buffer, before and after it, in one system call. So it
 * knows that it reads the right process, and that the buffer was not released before it was read:
 * whoever gives a peer up revokes the guard before releasing what the peer may still read.
 */
final class Guard {
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(FrameHeader.ORDER);

    // Not one that is closed: a late reader must find zeros or the guard, not other memory.
    private final MemorySegment memory = Arena.ofAuto().allocate(Nonce.BYTES, 16);
    private final Nonce value;

    Guard(Nonce value) {
        this.value = value;
        memory.set(WORD, 0, value.first());
        memory.set(WORD, Long.BYTES, value.second());
    }

    long address() {
        return memory.address();
    }

    Nonce value() {
        return value;
    }

    /** Make every reading from now on fail. */
    void revoke() {
        memory.fill((byte) 0);
        VarHandle.fullFence();
    }
}
