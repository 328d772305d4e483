package org.gradwire.backend.tensorpipe;

/** How a worker gets the large native buffers of the messages that a peer sends it. */
enum Reading {
    /** In chunks, through the log, as all else. */
    CHUNKS(Long.MAX_VALUE),

    /** From the memory of the sender's process, on the same host. */
    MEMORY(64 * 1024),

    /** Over a connection of its own: {@link BulkChannel}. */
    TCP(256 * 1024);

    private final long least;

    Reading(long least) {
        this.least = least;
    }

    /** {@return the bytes from which on it pays} */
    long least() {
        return least;
    }
}
