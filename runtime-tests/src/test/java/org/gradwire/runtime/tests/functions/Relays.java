package org.gradwire.runtime.tests.functions;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Functions that call further workers. */
@RemoteCallable
public final class Relays {

    /** A retry policy for calls with lost messages. */
    public static final RetryPolicy PERSISTENT =
            new RetryPolicy(100, Duration.ofMillis(100), 1, Duration.ofSeconds(2));

    private Relays() {}

    /**
     * Pass a reference on from worker to worker, and close it; the last one adds to the counter.
     */
    public static int pass(RRef<Counter> received, List<String> workers) {
        try (RRef<Counter> counter = received) {
            if (workers.isEmpty()) {
                return counter.withRetry(PERSISTENT).rpcSync(Counter::add, 1, 1);
            }
            List<String> rest = List.copyOf(workers.subList(1, workers.size()));
            return Rpc.current()
                    .withRetry(PERSISTENT)
                    .rpcSync(workers.getFirst(), Relays::pass, counter, rest);
        }
    }

    /** {@return the sum of the gradient of a product that two other workers make} */
    public static double descend(String first, String second) {
        Rpc rpc = Rpc.current();
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor a = Tensor.ones(2).requiresGrad(true);
            Tensor loss = rpc.rpcSync(first, Tensors::sumAt, a, second);
            context.backward(BackwardOptions.smart(), loss);
            Tensor gradient = Objects.requireNonNull(context.gradients().get(a));
            return gradient.sum().item();
        }
    }
}
