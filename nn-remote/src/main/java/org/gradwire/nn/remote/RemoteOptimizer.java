package org.gradwire.nn.remote;

import org.gradwire.autograd.AutogradContext;
import org.gradwire.autograd.DistAutograd;
import org.gradwire.optim.Optimizer;
import org.gradwire.optim.Rates;
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
 * What {@link DistributedOptimizer} runs on each owner of parameters: an optimizer over those that
 * live there. Public because it is called remotely; programs use {@link DistributedOptimizer}.
 *
 * <p>Whatever reads or changes an optimizer or its parameters does so alone on its worker: other
 * optimizers may have the same parameters.
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
     * Make the optimizer of a worker.
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
        Object made = Functions.call(constructor, args);
        if (made instanceof Optimizer<?> optimizer) {
            return new RemoteOptimizer(optimizer, indices(optimizer, tensors, numbers));
        }
        throw new IllegalArgumentException(
                "the optimizer's constructor returned an instance of %s, which is no Optimizer"
                        .formatted(made == null ? "null" : made.getClass().getName()));
    }

    /** The optimizer may have the parameters in another order, or not all of them. */
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
                        "the optimizer has a parameter that it was not given; make it over those that its constructor gets");
            }
            own.add(number);
        }
        return new StateIndices(own);
    }

    /** Return the learning rates; fails if the optimizer could not be made. */
    public static Rates rates(RRef<RemoteOptimizer> self) throws Exception {
        RemoteOptimizer remote = self.localValue();
        return alone(remote.optimizer::rates);
    }

    /** Change the learning rates. */
    public static void setRates(RRef<RemoteOptimizer> self, Rates rates) throws Exception {
        RemoteOptimizer remote = self.localValue();
        var _ =
                alone(() -> {
                    remote.optimizer.rates(rates);
                    return remote;
                });
    }

    /**
     * Take a step along the gradients that a context has here.
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

    /** Go on from the part of a state that is about parameters here, and return its rates. */
    public static Rates loadStateDict(RRef<RemoteOptimizer> self, Map<String, Tensor> state)
            throws Exception {
        RemoteOptimizer remote = self.localValue();
        return alone(() -> {
            remote.optimizer.loadStateDict(remote.indices.fromNumbers(state));
            return remote.optimizer.rates();
        });
    }

    private static <T> T alone(Callable<T> action) throws Exception {
        return StepLock.of(Rpc.current()).alone(action);
    }
}
