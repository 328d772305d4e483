package org.gradwire.backend.tensorpipe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Runs code of others that should not throw. */
final class Callbacks {
    private static final Logger LOG = System.getLogger(Callbacks.class.getPackageName());

    private Callbacks() {}

    /** Run a callback; log and count what it throws. */
    static void run(Statistics statistics, Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error thrown) {
            onThrown(statistics, thrown);
        }
    }

    static void onThrown(Statistics statistics, Throwable thrown) {
        statistics.callbacksThrown.increment();
        LOG.log(Level.ERROR, "a callback threw; callbacks of an agent must not", thrown);
    }
}
