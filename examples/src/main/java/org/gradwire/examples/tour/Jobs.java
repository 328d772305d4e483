package org.gradwire.examples.tour;

import org.gradwire.rpc.Default;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** Functions that other workers may call: public, marked, and in an exported package. */
@RemoteCallable
public final class Jobs {

    private Jobs() {}

    public static Tensor scale(Tensor input, @Default("1.0") double factor) {
        return input.mul(factor);
    }

    public static double mean(Tensor values) {
        return values.mean().item();
    }

    public static void fail(String reason) {
        throw new IllegalStateException(reason);
    }
}
