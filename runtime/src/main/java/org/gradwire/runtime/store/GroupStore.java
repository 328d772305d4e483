package org.gradwire.runtime.store;

import org.gradwire.spi.Store;

/** A store as the worker that opened it sees it. */
public interface GroupStore extends Store {

    /**
     * Stop using the store. The worker that serves it waits for the others a while, so that they
     * get their last answers. Further calls do nothing.
     */
    @Override
    void close();

    /**
     * Stop using the store of a group that goes on. The worker that serves it does so as long as it
     * is used and this process lives.
     */
    default void leave() {
        close();
    }

    /**
     * Stop using the store without waiting for anybody; if this worker serves it, the others lose
     * it.
     */
    default void closeNow() {
        close();
    }
}
