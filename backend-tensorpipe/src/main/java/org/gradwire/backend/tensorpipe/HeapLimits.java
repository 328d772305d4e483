package org.gradwire.backend.tensorpipe;

/**
 * How much of this process's heap messages may take, whatever the settings permit: those that
 * arrive half of it, and those that wait to be sent half of it, as the messages do that the runtime
 * decodes. One peer may take half of either.
 */
final class HeapLimits {
    private static final int PARTS = 2;

    private HeapLimits() {}

    /** {@return the most bytes of heap for messages in one direction} */
    static long bytes() {
        return Runtime.getRuntime().maxMemory() / PARTS;
    }
}
