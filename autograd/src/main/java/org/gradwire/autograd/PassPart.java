package org.gradwire.autograd;

import java.util.concurrent.Executor;

/**
 * What a worker does in a backward pass: first, in {@link BackwardMode#SMART}, a {@link Discovery},
 * then its {@link BackwardPass}.
 */
sealed interface PassPart permits Discovery, BackwardPass {

    /** {@return the id of the pass; its upper bits are the id of the initiator} */
    long id();

    /** {@return runs what arrives for it} */
    Executor executor();

    /** {@return whether it waits for what only this worker can send, and would not notice} */
    boolean waitsFor(int worker);

    /** End it with an error that happened outside. */
    void fail(RuntimeException failure);
}
