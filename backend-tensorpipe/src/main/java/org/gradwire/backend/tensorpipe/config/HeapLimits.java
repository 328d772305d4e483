package org.gradwire.backend.tensorpipe.config;

/**
 * Limits of this process's heap for messages, in addition to the settings. Together with the
 * runtime's half for decoded messages and its eighth for references they cover the whole heap. One
 * peer may take half of each part.
 */
public final class HeapLimits {
    private static final int ARRIVING = 4;
    private static final int WAITING = 8;

    private HeapLimits() {}

    /** {@return the limit of heap for arriving messages: a quarter} */
    public static long arriving() {
        return Runtime.getRuntime().maxMemory() / ARRIVING;
    }

    /** {@return the limit of heap for messages that wait to be sent: an eighth} */
    public static long waiting() {
        return Runtime.getRuntime().maxMemory() / WAITING;
    }
}
