package com.example.scale;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;

/** Two workers: the second multiplies matrices for the first, which takes a gradient through it. */
public final class Scale {
    private Scale() {}

    @RemoteCallable
    public static Tensor product(Tensor left, Tensor right) {
        return left.matmul(right);
    }

    public static void main(String[] args) {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            if (rpc.self().id() == 0) {
                IO.println("gradient: " + gradient(rpc).sum().item());
            }
        }
    }

    private static Tensor gradient(Rpc rpc) {
        Tensor weights = Tensor.ones(64, 64).requiresGrad(true);
        try (var context = DistAutograd.context(rpc)) {
            Tensor result = rpc.rpcSync("worker1", Scale::product, Tensor.ones(64, 64), weights);
            context.backward(result.sum());
            return context.gradients().get(weights);
        }
    }
}
