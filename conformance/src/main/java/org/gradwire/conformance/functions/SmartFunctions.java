package org.gradwire.conformance.functions;

import org.gradwire.autograd.AutogradContext;
import org.gradwire.autograd.BackwardMode;
import org.gradwire.autograd.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** Functions that make calls in vain, as FAST mode does not bear. */
@RemoteCallable
public final class SmartFunctions {

    private SmartFunctions() {}

    /** Let the next worker multiply, and both neighbours add in vain. */
    public static Tensor wastefulProduct(Tensor a, Tensor b) {
        Rpc rpc = Rpc.current();
        Tensor unused = rpc.rpcSync(neighbour(rpc, 1), AutogradFunctions::add, a, b);
        Tensor product = rpc.rpcSync(neighbour(rpc, 1), Ops::mul, a, b);
        rpc.rpcSync(neighbour(rpc, -1), AutogradFunctions::add, unused, product);
        return product;
    }

    /** Pass two tensors on around the circle; each worker on the way calls another one in vain. */
    public static Tensor circle(Tensor a, Tensor b, int hops) {
        Rpc rpc = Rpc.current();
        rpc.rpcSync(neighbour(rpc, 2), AutogradFunctions::add, a, b);
        return hops == 0
                ? a.mul(b)
                : rpc.rpcSync(
                        neighbour(rpc, 1), SmartFunctions::circle, a.add(b), b.tanh(), hops - 1);
    }

    /** {@return what {@link #circle} returns, computed here} */
    public static Tensor circleHere(Tensor a, Tensor b, int hops) {
        return hops == 0 ? a.mul(b) : circleHere(a.add(b), b.tanh(), hops - 1);
    }

    /** Multiply with the tensor of this worker. */
    public static Tensor timesGlobal(Tensor a) {
        return AutogradFunctions.globalTensor().mul(a);
    }

    /** {@return the sum of a tensor of this worker's} */
    public static Tensor sumOf(RRef<Tensor> tensor) {
        return tensor.localValue().sum();
    }

    /** {@return how many gradients this worker has in a context} */
    public static int gradients(long contextId) {
        return DistAutograd.find(Rpc.current(), contextId)
                .map(context -> context.gradients().size())
                .orElse(0);
    }

    /** Run a backward pass from here, in the context of the caller. */
    public static void backwardFromHere(Tensor a, String unusedAt) {
        Rpc rpc = Rpc.current();
        AutogradContext context = DistAutograd.current(rpc);
        rpc.rpcSync(unusedAt, AutogradFunctions::add, a, a);
        context.backward(BackwardMode.SMART, true, List.of(a.sum()));
    }

    private static String neighbour(Rpc rpc, int distance) {
        int size = rpc.workers().size();
        return "worker" + Math.floorMod(rpc.self().id() + distance, size);
    }
}
