package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

/** Wakes a poller that is set later. Thread-safe. */
final class PollerWakeup implements Runnable {
    private volatile @Nullable Poller poller;

    void wakes(Poller one) {
        poller = one;
    }

    @Override
    public void run() {
        Poller one = poller;
        if (one != null) {
            one.wake();
        }
    }
}
