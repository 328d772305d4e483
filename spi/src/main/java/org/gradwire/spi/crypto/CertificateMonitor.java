package org.gradwire.spi.crypto;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a check of certificates every second on a virtual thread, one at a time: certificates
 * expire, and files change, while connections are open.
 *
 * <p>For one thread, which need not be the same always.
 */
public final class CertificateMonitor {
    private static final System.Logger LOG = System.getLogger(CertificateMonitor.class.getName());

    /** Time between two checks. */
    public static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Runnable check;
    private final AtomicBoolean isChecking = new AtomicBoolean();
    private long lastCheckNanos = System.nanoTime();

    /**
     * Create a monitor.
     *
     * @param check may wait; while it does, no other begins
     */
    public CertificateMonitor(Runnable check) {
        this.check = check;
    }

    /** Start the check if it is due. Never waits. */
    public void onTick(long nowNanos) {
        if (nowNanos - lastCheckNanos >= INTERVAL_NANOS && isChecking.compareAndSet(false, true)) {
            lastCheckNanos = nowNanos;
            Thread.ofVirtual().name("gradwire-certificates").start(this::run);
        }
    }

    private void run() {
        try {
            check.run();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "certificates could not be checked", e);
        } finally {
            isChecking.set(false);
        }
    }
}
