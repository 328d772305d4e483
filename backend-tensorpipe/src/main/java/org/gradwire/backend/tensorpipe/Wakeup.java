package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

/** Wakes a poller that may not have been made yet. Thread-safe. */
final class Wakeup implements Runnable {
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
