package org.gradwire.examples.guide;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Page 4: gradients across workers. */
@RemoteCallable
public final class Gradients {

    private Gradients() {}

    static void run(Rpc rpc) throws InterruptedException {
        through(rpc);
        atTheOwner(rpc);
        onSeveralThreads(rpc);
        unused(rpc);
    }

    private static void through(Rpc rpc) {
        Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
        try (var context = DistAutograd.context(rpc)) {
            Tensor product = rpc.rpcSync("worker1", Ops::mul, w, w);
            context.backward(product.sum());
            IO.println("through worker1: " + context.gradients().get(w));
        }
    }

    public static Tensor weight() {
        return Tensor.of(3f, 4f).requiresGrad(true);
    }

    public static Tensor apply(RRef<Tensor> weight, Tensor input) {
        return weight.localValue().mul(input);
    }

    public static Tensor gradient(RRef<Tensor> weight, long contextId) {
        Map<Tensor, Tensor> gradients = DistAutograd.gradients(Rpc.current(), contextId);
        return requireNonNull(gradients.get(weight.localValue()));
    }

    private static void atTheOwner(Rpc rpc) {
        try (RRef<Tensor> weight = rpc.remote("worker1", Gradients::weight);
                var context = DistAutograd.context(rpc)) {
            Tensor output = rpc.rpcSync("worker1", Gradients::apply, weight, Tensor.of(1f, 10f));
            context.backward(output.sum());
            Tensor there = rpc.rpcSync("worker1", Gradients::gradient, weight, context.id());
            IO.println("left on worker1: " + there);
        }
    }

    private static void onSeveralThreads(Rpc rpc) throws InterruptedException {
        Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
        try (var context = DistAutograd.context(rpc);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Tensor>> calls =
                    List.of(
                            () -> context.call(() -> rpc.rpcSync("worker1", Ops::mul, w, w)),
                            () -> context.call(() -> rpc.rpcSync("worker2", Ops::mul, w, w)));
            List<Future<Tensor>> products = threads.invokeAll(calls);
            Tensor sum = products.get(0).resultNow().add(products.get(1).resultNow());
            context.backward(sum.sum());
            IO.println("through both at once: " + context.gradients().get(w));
        }
    }

    private static void unused(Rpc rpc) {
        Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
        try (var context = DistAutograd.context(rpc)) {
            Tensor used = rpc.rpcSync("worker1", Ops::mul, w, w);
            Tensor unused = rpc.rpcSync("worker2", Ops::exp, w);
            IO.println("not part of the loss: " + unused.shape().length + " dimension");
            context.backward(BackwardOptions.smart(), used.sum());
            IO.println("the pass does not wait for worker2: " + context.gradients().get(w));
        }
    }
}
