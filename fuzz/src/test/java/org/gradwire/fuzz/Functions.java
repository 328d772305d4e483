package org.gradwire.fuzz;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/** Functions that the requests of the seeds call. */
public final class Functions {
    private Functions() {}

    @RemoteCallable
    public static Object echo(Object value) {
        return value;
    }

    @RemoteCallable
    public static Tensor add(Tensor a, Tensor b) {
        return Ops.add(a, b);
    }

    @RemoteCallable
    public static Tensor addToReference(RRef<Tensor> a, Tensor b) {
        return Ops.add(a.toHere(), b);
    }
}
