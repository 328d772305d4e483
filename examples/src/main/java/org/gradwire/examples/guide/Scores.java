package org.gradwire.examples.guide;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Scoped;
import org.gradwire.tensor.Tensor;

/** A function that keeps no tensor. */
public final class Scores {

    private Scores() {}

    /** Return how well each query fits each key; the sum of a row is 1. */
    @RemoteCallable
    @Scoped
    public static Tensor of(Tensor queries, Tensor keys) {
        return queries.matmul(keys.t()).softmax(1);
    }
}
