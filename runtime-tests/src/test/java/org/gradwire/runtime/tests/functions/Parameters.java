package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;

/** Parameters on workers, and computations with them. */
@RemoteCallable
public final class Parameters {

    private Parameters() {}

    /** Create a random parameter. */
    public static Tensor make(long seed, int[] shape) {
        return Tensor.randn(new SplittableRandom(seed), shape).requiresGrad(true);
    }

    /** Create a parameter with given numbers. */
    public static Tensor of(Tensor values) {
        return values.detach().copy().requiresGrad(true);
    }

    /** Create a parameter, and return a reference to it. */
    public static RRef<Tensor> reference() {
        return Rpc.current().rref(make(1, new int[] {2}));
    }

    /** Look up rows of a table, with a sparse gradient. */
    public static Tensor rows(RRef<Tensor> table, Tensor indices) {
        return Ops.embedding(table.localValue(), indices, /* sparse= */ true);
    }

    /** Compute {@code tanh(x · weight + bias)}. */
    public static Tensor layer(RRef<Tensor> weight, RRef<Tensor> bias, Tensor x) {
        return x.matmul(weight.localValue()).add(bias.localValue()).tanh();
    }

    /** Sum a parameter, for a gradient of ones. */
    public static Tensor sum(RRef<Tensor> parameter) {
        return parameter.localValue().sum();
    }

    /** Return the numbers of a parameter. */
    public static Tensor values(RRef<Tensor> parameter) {
        return parameter.localValue().detach().copy();
    }
}
