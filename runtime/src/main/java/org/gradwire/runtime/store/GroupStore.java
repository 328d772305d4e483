package org.gradwire.runtime.store;

import org.gradwire.spi.Store;

/** A store that a worker has opened. Thread-safe. */
public interface GroupStore extends Store {

    /**
     * Close the store. The worker that serves it waits for the others for a limited time, so that
     * they get their last replies. Further calls have no effect.
     */
    @Override
    void close();

    /**
     * Close the store while the group continues. A worker that serves it continues to serve while
     * it is used and the process runs.
     */
    default void leave() {
        close();
    }

    /** Close the store without a wait. If this worker serves it, the others lose it. */
    default void closeNow() {
        close();
    }
}
