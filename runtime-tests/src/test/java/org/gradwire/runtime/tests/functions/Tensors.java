package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/** Functions of tensors that call other workers. */
@RemoteCallable
public final class Tensors {

    private Tensors() {}

    /** Add on another worker. */
    public static Tensor addAt(Tensor a, Tensor b, String worker) {
        return Rpc.current().rpcSync(worker, Ops::add, a, b);
    }

    /** {@return the sum of another worker's result for a tensor} */
    public static Tensor sumAt(Tensor a, String worker) {
        return addAt(a, a, worker).sum();
    }

    /** {@return a tensor that requires a gradient} */
    public static Tensor parameter() {
        return Tensor.ones(2, 2).requiresGrad(true);
    }

    /** Call another worker without using the result. */
    public static Tensor wasteAt(Tensor a, String worker) {
        Tensor unused = addAt(a, a, worker);
        return unused.requiresGrad() ? a.mul(2) : a;
    }

    /** Scale the first row of a matrix in place, and return the matrix. */
    @RemoteCallable
    public static Tensor scaleFirstRow(Tensor matrix, Tensor factor) {
        matrix.select(0, 0).mul_(factor);
        return matrix;
    }
}
