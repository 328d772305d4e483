package org.gradwire.examples.guide;

import org.gradwire.rpc.NonRetaining;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** A function that retains no tensor. */
public final class Scores {

    private Scores() {}

    /** Return the attention weights of queries and keys; each row sums to 1. */
    @RemoteCallable
    @NonRetaining
    public static Tensor of(Tensor queries, Tensor keys) {
        return queries.matmul(keys.t()).softmax(1);
    }
}
