package org.gradwire.examples.train;

import org.gradwire.rpc.Rpc;

/**
 * The parts of the training that are the same in all views of the group.
 *
 * @param rpc this worker
 * @param options of the command line
 * @param corpus the text
 */
record Job(Rpc rpc, Options options, Corpus corpus) {
    /** The sizes of the model. */
    Shape shape() {
        return Shape.DEFAULT;
    }
}
