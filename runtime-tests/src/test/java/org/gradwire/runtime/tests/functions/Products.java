package org.gradwire.runtime.tests.functions;

import org.gradwire.autograd.DistAutograd;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/** Functions of tensors. */
public final class Products {
    private Products() {}

    /** Let another worker multiply. */
    @RemoteCallable
    public static Tensor elsewhere(Tensor a, Tensor b, String worker) {
        return Rpc.current().rpcSync(worker, Ops::mul, a, b).tanh();
    }

    /** {@return whether an autograd context is known here} */
    @RemoteCallable
    public static boolean knowsContext(long id) {
        return DistAutograd.find(Rpc.current(), id).isPresent();
    }
}
