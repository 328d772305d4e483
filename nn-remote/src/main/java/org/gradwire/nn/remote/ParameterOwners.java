package org.gradwire.nn.remote;

import org.gradwire.nn.internal.StateIndices;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The owners of a distributed optimizer's parameters; calls all of them in parallel. */
final class ParameterOwners {
    private final List<Owner> all;

    private ParameterOwners(List<Owner> all) {
        this.all = all;
    }

    /** An owner, and its optimizer. */
    record Owner(RRef<RemoteOptimizer> optimizer, StateIndices indices) {
        String name() {
            return optimizer.owner().name();
        }
    }

    /** The parameters of one owner and their indices among all. */
    record Share(List<RRef<Tensor>> parameters, List<Integer> numbers) {
        Share() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /** Start to create an optimizer on each owner. */
    static ParameterOwners of(
            List<RRef<Tensor>> parameters, BiFunction<String, Share, RRef<RemoteOptimizer>> maker) {
        Map<String, Share> shares = new LinkedHashMap<>();
        for (int i = 0; i < parameters.size(); i++) {
            RRef<Tensor> parameter = parameters.get(i);
            Share share = shares.computeIfAbsent(parameter.owner().name(), _ -> new Share());
            share.parameters().add(parameter);
            share.numbers().add(i);
        }
        List<Owner> owners = new ArrayList<>();
        var made = new ParameterOwners(owners);
        try {
            shares.forEach((name, share) ->
                    owners.add(
                            new Owner(
                                    maker.apply(name, share), new StateIndices(share.numbers()))));
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
        return made;
    }

    /**
     * Call all owners in parallel and wait for all.
     *
     * @param what the operation, for failures
     * @return the results, in the order of the owners
     * @throws DistributedOptimizerException when one fails, after all have ended
     */
    <T extends @Nullable Object> List<T> onAll(String what, Function<Owner, RpcFuture<T>> call) {
        Map<String, RuntimeException> failures = new LinkedHashMap<>();
        Map<String, RpcFuture<T>> calls = new LinkedHashMap<>();
        for (Owner owner : all) {
            try {
                calls.put(owner.name(), call.apply(owner));
            } catch (RuntimeException e) {
                failures.put(owner.name(), e);
            }
        }
        List<T> results = new ArrayList<>();
        List<String> succeeded = new ArrayList<>();
        calls.forEach((name, future) -> {
            try {
                results.add(future.join());
                succeeded.add(name);
            } catch (RuntimeException e) {
                failures.put(name, e);
            }
        });
        if (!failures.isEmpty()) {
            throw new DistributedOptimizerException(what, failures, succeeded);
        }
        return results;
    }

    /** {@return the names of the owners} */
    List<String> names() {
        return all.stream().map(Owner::name).toList();
    }

    void close() {
        all.forEach(owner -> owner.optimizer().close());
    }
}
