package org.gradwire.conformance.cases.autograd;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/** Remote functions that make calls and drop the results, which FAST mode does not support. */
@RemoteCallable
public final class SmartFunctions {

    private SmartFunctions() {}

    /** Multiply on the next worker, and let both neighbours add without using the sums. */
    public static Tensor wastefulProduct(Tensor a, Tensor b) {
        Rpc rpc = Rpc.current();
        Tensor unused = rpc.rpcSync(neighbour(rpc, 1), AutogradFunctions::add, a, b);
        Tensor product = rpc.rpcSync(neighbour(rpc, 1), Ops::mul, a, b);
        rpc.rpcSync(neighbour(rpc, -1), AutogradFunctions::add, unused, product);
        return product;
    }

    /** Forward two tensors around the ring; each worker also makes an unused call. */
    public static Tensor circle(Tensor a, Tensor b, int hops) {
        Rpc rpc = Rpc.current();
        rpc.rpcSync(neighbour(rpc, 2), AutogradFunctions::add, a, b);
        return hops == 0
                ? a.mul(b)
                : rpc.rpcSync(
                        neighbour(rpc, 1), SmartFunctions::circle, a.add(b), b.tanh(), hops - 1);
    }

    /** {@return the result of {@link #circle}, computed locally} */
    public static Tensor circleHere(Tensor a, Tensor b, int hops) {
        return hops == 0 ? a.mul(b) : circleHere(a.add(b), b.tanh(), hops - 1);
    }

    /** Multiply by this worker's shared tensor. */
    public static Tensor timesGlobal(Tensor a) {
        return AutogradFunctions.globalTensor().mul(a);
    }

    /** {@return the sum of the elements of a local tensor} */
    public static Tensor sumOf(RRef<Tensor> tensor) {
        return tensor.localValue().sum();
    }

    /** {@return the number of gradients in a context on this worker} */
    public static int gradients(long contextId) {
        Rpc rpc = Rpc.current();
        return ContextGate.isKnown(rpc, contextId)
                ? DistAutograd.gradients(rpc, contextId).size()
                : 0;
    }

    /** Run a backward pass from this worker, in the caller's context. */
    public static void backwardFromHere(Tensor a, String unusedAt) {
        Rpc rpc = Rpc.current();
        AutogradContext context = DistAutograd.current(rpc);
        rpc.rpcSync(unusedAt, AutogradFunctions::add, a, a);
        context.backward(BackwardOptions.smart().retainGraph(), a.sum());
    }

    private static String neighbour(Rpc rpc, int distance) {
        int size = rpc.workers().size();
        return "worker" + Math.floorMod(rpc.self().id() + distance, size);
    }
}
