package org.gradwire.runtime.tests.functions;

import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Functions of tensors. */
public final class Products {
    private Products() {}

    /** Multiply on another worker. */
    @RemoteCallable
    public static Tensor elsewhere(Tensor a, Tensor b, String worker) {
        return Rpc.current().rpcSync(worker, Ops::mul, a, b).tanh();
    }

    /** {@return the numbers of autograd contexts and of running passes on this worker} */
    @RemoteCallable
    public static List<String> contextsAndPasses() {
        Map<String, String> info = Rpc.current().debugInfo();
        return List.of(
                info.getOrDefault("num_autograd_contexts", ""),
                info.getOrDefault("num_current_backward_passes", ""));
    }

    /** {@return the number of gradients on this worker in a context, by its id} */
    @RemoteCallable
    public static int gradientCount(long contextId) {
        return DistAutograd.gradients(Rpc.current(), contextId).size();
    }

    @RemoteCallable
    public static Tensor sumOfSquares(Tensor a) {
        return Ops.mul(a, a).sum();
    }

    /** Run a backward pass from a reference in a context, by its id. */
    @RemoteCallable
    public static void backward(long contextId, RRef<Tensor> root, boolean smart) {
        DistAutograd.lookup(Rpc.current(), contextId)
                .backward(smart ? BackwardOptions.smart() : BackwardOptions.fast(), root);
    }

    /** Gates for which calls wait, by number. */
    private static final class Gates {
        private final Map<Integer, CountDownLatch> gates = new ConcurrentHashMap<>();

        private static CountDownLatch gate(int number) {
            return Rpc.current()
                    .locals()
                    .get(Gates.class, Gates::new)
                    .gates
                    .computeIfAbsent(number, _ -> new CountDownLatch(1));
        }
    }

    /** {@link #elsewhere} after a gate has opened, which must be within a minute. */
    @RemoteCallable
    public static Tensor elsewhereAfterGate(int gate, Tensor a, Tensor b, String worker)
            throws InterruptedException {
        if (!Gates.gate(gate).await(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("gate " + gate + " was not opened");
        }
        return elsewhere(a, b, worker);
    }

    @RemoteCallable
    public static void openGate(int gate) {
        Gates.gate(gate).countDown();
    }
}
