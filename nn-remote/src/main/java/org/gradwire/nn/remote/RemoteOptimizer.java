package org.gradwire.nn.remote;

import org.gradwire.autograd.DistAutograd;
import org.gradwire.optim.Optimizer;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * What {@link DistributedOptimizer} runs on each owner of parameters: an optimizer over those that
 * live there. Public because it is called remotely; programs use {@link DistributedOptimizer}.
 */
@RemoteCallable
public final class RemoteOptimizer {
    private final Optimizer<?> optimizer;

    private RemoteOptimizer(Optimizer<?> optimizer) {
        this.optimizer = optimizer;
    }

    /** Make the optimizer of a worker. */
    public static RemoteOptimizer create(
            RpcFunction<?> constructor, List<RRef<Tensor>> parameters, List<?> options)
            throws Exception {
        List<@Nullable Object> args = new ArrayList<>(options.size() + 1);
        args.add(parameters.stream().map(RRef::localValue).toList());
        args.addAll(options);
        Object made = Functions.call(constructor, args);
        if (made instanceof Optimizer<?> optimizer) {
            return new RemoteOptimizer(optimizer);
        }
        throw new IllegalArgumentException(
                "the optimizer's constructor returned an instance of %s, which is no Optimizer"
                        .formatted(made == null ? "null" : made.getClass().getName()));
    }

    /** Fail if the optimizer could not be made. */
    public static void exists(RRef<RemoteOptimizer> self) {
        self.localValue();
    }

    /**
     * Take a step along the gradients that a context has here; none when the context never came
     * here. Steps of different contexts run one after another.
     */
    public static void step(RRef<RemoteOptimizer> self, long contextId) {
        RemoteOptimizer remote = self.localValue();
        DistAutograd.find(Rpc.current(), contextId)
                .ifPresent(context -> {
                    synchronized (remote) {
                        remote.optimizer.step(context.gradients());
                    }
                });
    }
}
