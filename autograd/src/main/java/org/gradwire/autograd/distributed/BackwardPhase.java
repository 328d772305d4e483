package org.gradwire.autograd.distributed;

import java.util.concurrent.Executor;

/**
 * A phase of a backward pass on one worker. In {@link BackwardMode#SMART} the discovery of the send
 * functions that take part comes first, then the computation of gradients.
 */
interface BackwardPhase {

    /** {@return the id of the pass; its upper bits are the id of the initiator} */
    long id();

    /** {@return whether it is the discovery that goes before the pass} */
    boolean isDiscovery();

    /** {@return runs what arrives for it} */
    Executor executor();

    /** {@return whether it waits for what only this worker can send, and would not notice} */
    boolean waitsFor(int worker);

    /** End it with an error that happened outside. */
    void fail(RuntimeException failure);
}
