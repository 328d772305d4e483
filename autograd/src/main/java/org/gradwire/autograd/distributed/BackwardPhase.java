package org.gradwire.autograd.distributed;

import java.util.concurrent.Executor;

/**
 * A phase of a backward pass on one worker. In {@link BackwardMode#SMART} the discovery of the send
 * functions that take part precedes the computation of gradients.
 */
interface BackwardPhase {

    /** {@return the id of the pass; its upper bits are the id of the initiator} */
    long id();

    /** {@return whether this is the discovery that precedes the pass} */
    boolean isDiscovery();

    /** {@return the executor of the messages that arrive for this phase} */
    Executor executor();

    /** {@return whether the phase waits for messages of a worker whose loss it would not detect} */
    boolean waitsFor(int worker);

    /** End the phase with an error from outside of it. */
    void fail(RuntimeException failure);
}
