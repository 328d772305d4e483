package org.gradwire.device.cuda;

import org.jspecify.annotations.Nullable;

/** A part of a segment of a device's memory, in use or free. Guarded by its allocator. */
final class Block {
    final long segment; // the address that the driver gave
    final long address;
    long bytes;
    boolean free;
    @Nullable CudaStream stream; // whose work may still use a free block
    @Nullable Block previous; // neighbours in the segment
    @Nullable Block next;

    Block(long segment, long address, long bytes) {
        this.segment = segment;
        this.address = address;
        this.bytes = bytes;
    }

    long address() {
        return address;
    }

    /** {@return whether this is the whole segment} */
    boolean isWhole() {
        return previous == null && next == null;
    }
}
