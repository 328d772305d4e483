package org.gradwire.backend.tensorpipe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Runs callbacks and logs their exceptions. */
final class Callbacks {
    private static final Logger LOG = System.getLogger(Callbacks.class.getPackageName());

    private Callbacks() {}

    /** Run a callback; log and count an exception. */
    static void run(AgentMetrics metrics, Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error thrown) {
            onThrown(metrics, thrown);
        }
    }

    static void onThrown(AgentMetrics metrics, Throwable thrown) {
        metrics.callbacksThrown.increment();
        LOG.log(Level.ERROR, "a callback threw; callbacks of an agent must not", thrown);
    }
}
