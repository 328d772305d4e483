package org.gradwire.nn.remote;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.internal.StateIndices;
import org.gradwire.optim.LearningRates;
import org.gradwire.optim.Optimizer;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The optimizer that {@link DistributedOptimizer} runs on each owner, over the parameters there.
 * Public because it is called remotely; programs use {@link DistributedOptimizer}.
 *
 * <p>Access to an optimizer and its parameters is exclusive on its worker, since other optimizers
 * may have the same parameters.
 */
@RemoteCallable
public final class RemoteOptimizer {
    private final Optimizer<?> optimizer;
    private final StateIndices indices;

    private RemoteOptimizer(Optimizer<?> optimizer, StateIndices indices) {
        this.optimizer = optimizer;
        this.indices = indices;
    }

    /**
     * Create the optimizer of a worker.
     *
     * @param numbers of the parameters among those of all owners
     */
    public static RemoteOptimizer create(
            RpcFunction<?> constructor,
            List<RRef<Tensor>> parameters,
            List<Integer> numbers,
            List<?> options)
            throws Exception {
        List<Tensor> tensors = parameters.stream().map(RRef::localValue).toList();
        List<@Nullable Object> args = new ArrayList<>(options.size() + 1);
        args.add(tensors);
        args.addAll(options);
        Object made = FunctionInvoker.call(constructor, args);
        if (made instanceof Optimizer<?> optimizer) {
            return new RemoteOptimizer(optimizer, indices(optimizer, tensors, numbers));
        }
        throw new IllegalArgumentException(
                "the optimizer's constructor returned an instance of %s, which is not an Optimizer"
                        .formatted(made == null ? "null" : made.getClass().getName()));
    }

    /** Map the optimizer's parameters, which may be in another order or fewer, to their numbers. */
    private static StateIndices indices(
            Optimizer<?> optimizer, List<Tensor> given, List<Integer> numbers) {
        Map<Tensor, Integer> known = new HashMap<>();
        for (int i = 0; i < given.size(); i++) {
            known.put(given.get(i), numbers.get(i));
        }
        List<Integer> own = new ArrayList<>();
        for (Tensor parameter : optimizer.parameters()) {
            Integer number = known.get(parameter);
            if (number == null) {
                throw new IllegalArgumentException(
                        "the optimizer has a parameter that is not among those passed to its constructor; use only those");
            }
            own.add(number);
        }
        return new StateIndices(own);
    }

    /** Return the learning rates; fails if the optimizer could not be made. */
    public static LearningRates rates(RRef<RemoteOptimizer> self) throws Exception {
        RemoteOptimizer remote = self.localValue();
        return alone(remote.optimizer::learningRates);
    }

    /** Change the learning rates. */
    public static void setRates(RRef<RemoteOptimizer> self, LearningRates learningRates)
            throws Exception {
        RemoteOptimizer remote = self.localValue();
        var _ =
                alone(() -> {
                    remote.optimizer.learningRates(learningRates);
                    return remote;
                });
    }

    /**
     * Take a step with the gradients of a context on this worker.
     *
     * @throws org.gradwire.rpc.RpcException when the call was not made in this context
     */
    public static void step(RRef<RemoteOptimizer> self, long contextId) throws Exception {
        RemoteOptimizer remote = self.localValue();
        AutogradContext context = DistAutograd.lookup(Rpc.current(), contextId);
        var _ =
                alone(() -> {
                    remote.optimizer.step(context.gradients());
                    return remote;
                });
    }

    /** Return a copy of the state, with parameters numbered as those of all owners. */
    public static Map<String, Tensor> stateDict(RRef<RemoteOptimizer> self) throws Exception {
        RemoteOptimizer remote = self.localValue();
        return alone(() -> {
            Map<String, Tensor> state = remote.indices.toNumbers(remote.optimizer.stateDict());
            state.replaceAll((_, tensor) -> tensor.copy()); // a step may come before it is sent
            return state;
        });
    }

    /** Verify the part of a state for the parameters here. */
    public static void checkStateDict(RRef<RemoteOptimizer> self, Map<String, Tensor> state)
            throws Exception {
        RemoteOptimizer remote = self.localValue();
        var _ =
                alone(() -> {
                    remote.optimizer.checkStateDict(remote.indices.fromNumbers(state));
                    return remote;
                });
    }

    /** Load the part of a state for the parameters here, and return its learning rates. */
    public static LearningRates loadStateDict(RRef<RemoteOptimizer> self, Map<String, Tensor> state)
            throws Exception {
        RemoteOptimizer remote = self.localValue();
        return alone(() -> {
            remote.optimizer.loadStateDict(remote.indices.fromNumbers(state));
            return remote.optimizer.learningRates();
        });
    }

    private static <T> T alone(Callable<T> action) throws Exception {
        return StepLock.of(Rpc.current()).alone(action);
    }
}
