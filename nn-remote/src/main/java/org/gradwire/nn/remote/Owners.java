package org.gradwire.nn.remote;

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

/** The owners of the parameters of a distributed optimizer, and calls of all of them at a time. */
final class Owners {
    private final List<Owner> all;

    private Owners(List<Owner> all) {
        this.all = all;
    }

    /** An owner, and its optimizer. */
    record Owner(RRef<RemoteOptimizer> optimizer, StateIndices indices) {
        String name() {
            return optimizer.ownerName();
        }
    }

    /** Parameters of one owner, and their numbers among all. */
    record Share(List<RRef<Tensor>> parameters, List<Integer> numbers) {
        Share() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    /** Make an optimizer on each owner, as far as that can be begun. */
    static Owners of(
            List<RRef<Tensor>> parameters, BiFunction<String, Share, RRef<RemoteOptimizer>> maker) {
        Map<String, Share> shares = new LinkedHashMap<>();
        for (int i = 0; i < parameters.size(); i++) {
            RRef<Tensor> parameter = parameters.get(i);
            Share share = shares.computeIfAbsent(parameter.ownerName(), _ -> new Share());
            share.parameters().add(parameter);
            share.numbers().add(i);
        }
        List<Owner> owners = new ArrayList<>();
        var made = new Owners(owners);
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
     * Call all owners side by side, and wait for all.
     *
     * @param what is asked, for the failure
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
