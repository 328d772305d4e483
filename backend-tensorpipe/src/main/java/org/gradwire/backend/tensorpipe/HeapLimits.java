package org.gradwire.backend.tensorpipe;

/**
 * How much of this process's heap messages may take, whatever the settings permit. With the half
 * that the runtime lets messages take while they are decoded and answered, and the eighth that it
 * lets references take, it is the whole. One peer may take half of each part.
 */
final class HeapLimits {
    private static final int ARRIVING = 4;
    private static final int WAITING = 8;

    private HeapLimits() {}

    /** {@return the most bytes of heap for messages that are arriving: a quarter} */
    static long arriving() {
        return Runtime.getRuntime().maxMemory() / ARRIVING;
    }

    /** {@return the most bytes of heap for messages that wait to be sent: an eighth} */
    static long waiting() {
        return Runtime.getRuntime().maxMemory() / WAITING;
    }
}
