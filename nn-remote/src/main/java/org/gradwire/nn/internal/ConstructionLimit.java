package org.gradwire.nn.internal;

import java.lang.ScopedValue.CallableOp;

/**
 * Limits the memory that a module's constructor may allocate while a received module is decoded.
 * Modules count on construction; parameters and buffers count before allocation or, in classes
 * outside this project, on registration. Without a limit nothing is counted.
 */
public final class ConstructionLimit {
    private static final ScopedValue<ConstructionLimit> CURRENT = ScopedValue.newInstance();

    /** Approximate size of a module without parameters: its maps and names. */
    public static final int MODULE_BYTES = 1 << 10;

    /** Approximate size of a tensor without its elements. */
    public static final int TENSOR_BYTES = 1 << 9;

    private final long most;
    private long taken;

    private ConstructionLimit(long most) {
        this.most = most;
    }

    /** Run a constructor on this thread, limited to a number of bytes. */
    public static <T, X extends Throwable> T within(long bytes, CallableOp<T, X> constructor)
            throws X {
        return ScopedValue.where(CURRENT, new ConstructionLimit(bytes)).call(constructor);
    }

    /**
     * Count a module.
     *
     * @throws IllegalArgumentException when it exceeds the limit
     */
    public static void takeModule() {
        if (CURRENT.isBound()) {
            CURRENT.get().take(MODULE_BYTES);
        }
    }

    /**
     * Count a tensor that is kept.
     *
     * @throws IllegalArgumentException when it exceeds the limit
     */
    public static void takeTensor(long bytes) {
        if (CURRENT.isBound()) {
            CURRENT.get().take(TENSOR_BYTES + bytes);
        }
    }

    /**
     * Check that a tensor is within the limit before it is allocated; {@link #takeTensor} counts it
     * later.
     *
     * @throws IllegalArgumentException when it would exceed the limit
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
                    "its modules and tensors take more than %d bytes, the limit for the state sent with it"
                            .formatted(most));
        }
    }
}
