package org.gradwire.spi;

/**
 * A key of a {@link Store} that exists while its owner keeps it alive. Thread-safe.
 *
 * <p>The store renews it in the background. A lease that was lost is not acquired again
 * automatically, since another process may have had the key in the meantime.
 */
public interface Lease extends AutoCloseable {

    /** {@return the key} */
    String key();

    /**
     * {@return whether the key certainly exists, by the clock of this process}
     *
     * <p>False when no renewal has succeeded for the time to live, as in a partition or after a
     * long pause, although the key may still exist; false after {@link #close}. Once false, it
     * stays false. Does not block: an owner asks before each step that only the owner may take.
     */
    boolean isHeld();

    /**
     * Stop renewing the lease, as if this process had ended: the key vanishes after its time to
     * live.
     */
    void abandon();

    /**
     * Remove the key, if this lease still has it. Further calls have no effect. Does not throw if
     * the store cannot be reached: the key then vanishes by itself.
     */
    @Override
    void close();
}
