package org.gradwire.nn.limit;

import java.lang.ScopedValue.CallableOp;

/**
 * The memory that a constructor may take that makes a module from a message. Modules count as they
 * are made, their parameters and buffers before they are allocated or, those of other classes than
 * this project's, when they are registered. Without a limit nothing is counted.
 */
public final class ConstructionLimit {
    private static final ScopedValue<ConstructionLimit> CURRENT = ScopedValue.newInstance();

    /** About what a module without parameters takes: its maps and names. */
    public static final int MODULE_BYTES = 1 << 10;

    /** About what a tensor takes beside its elements. */
    public static final int TENSOR_BYTES = 1 << 9;

    private final long most;
    private long taken;

    private ConstructionLimit(long most) {
        this.most = most;
    }

    /** Run a constructor, on this thread, that may take a number of bytes. */
    public static <T, X extends Throwable> T within(long bytes, CallableOp<T, X> constructor)
            throws X {
        return ScopedValue.where(CURRENT, new ConstructionLimit(bytes)).call(constructor);
    }

    /**
     * Count a module.
     *
     * @throws IllegalArgumentException when it passes the limit
     */
    public static void takeModule() {
        if (CURRENT.isBound()) {
            CURRENT.get().take(MODULE_BYTES);
        }
    }

    /**
     * Count a tensor that is kept.
     *
     * @throws IllegalArgumentException when it passes the limit
     */
    public static void takeTensor(long bytes) {
        if (CURRENT.isBound()) {
            CURRENT.get().take(TENSOR_BYTES + bytes);
        }
    }

    /**
     * Refuse a tensor before it is allocated; {@link #takeTensor} counts it later.
     *
     * @throws IllegalArgumentException when it would pass the limit
     */
    public static void requireFree(long bytes) {
        if (CURRENT.isBound()) {
            CURRENT.get().check(bytes);
        }
    }

    private void take(long bytes) {
        check(bytes);
        taken += bytes;
    }

    private void check(long bytes) {
        if (bytes > most - taken) {
            throw new IllegalArgumentException(
                    "its modules and tensors take more than %d bytes, the most for the state that came with it"
                            .formatted(most));
        }
    }
}
