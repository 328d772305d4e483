package org.gradwire.runtime.tests.functions;

import org.gradwire.autograd.AutogradContext;
import org.gradwire.autograd.BackwardMode;
import org.gradwire.autograd.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Functions that go through several workers. */
@RemoteCallable
public final class Relays {

    /** For calls whose messages get lost. */
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
            context.backward(BackwardMode.SMART, loss);
            Tensor gradient = Objects.requireNonNull(context.gradients().get(a));
            return gradient.sum().item();
        }
    }
}
