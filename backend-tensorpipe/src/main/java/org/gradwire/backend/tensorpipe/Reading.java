package org.gradwire.backend.tensorpipe;

/** How a worker gets the large native buffers of the messages that a peer sends it. */
enum Reading {
    /** In chunks, through the log, as all else. */
    CHUNKS(0, Long.MAX_VALUE),

    /** From the memory of the sender's process, on the same host. */
    MEMORY(1, 64 * 1024),

    /** Over a connection of its own: {@link BulkChannel}. */
    TCP(2, 256 * 1024);

    private final int flag;
    private final long least;

    Reading(int flag, long least) {
        this.flag = flag;
        this.least = least;
    }

    /** {@return its flag in a {@link HelloAckFrame}} */
    int flag() {
        return flag;
    }

    /** {@return the bytes from which on it pays} */
    long least() {
        return least;
    }

    /** {@return that of a {@link HelloAckFrame}'s flags} */
    static Reading of(int flags) {
        return (flags & MEMORY.flag) != 0 ? MEMORY : (flags & TCP.flag) != 0 ? TCP : CHUNKS;
    }
}
