package org.gradwire.backend.tensorpipe.channel;

/** The way in which a worker receives the large native buffers of a peer's messages. */
public enum BulkReadMode {
    /** Chunks in the log, like other messages. */
    CHUNKS(Long.MAX_VALUE),

    /** Reads of the sender's memory, on the same host. */
    MEMORY(64 * 1024),

    /** Reads over a TCP connection: {@link BulkChannel}. */
    TCP(256 * 1024);

    private final long least;

    BulkReadMode(long least) {
        this.least = least;
    }

    /** {@return the minimal bytes of a buffer for which it pays} */
    public long least() {
        return least;
    }
}
