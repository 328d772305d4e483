package org.gradwire.nn.remote;

import org.gradwire.autograd.AutogradContext;
import org.gradwire.optim.Optimizer;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An optimizer over parameters that live on several workers: one local optimizer on each, which
 * take their steps side by side.
 *
 * {@snippet :
 * var optimizer = DistributedOptimizer.create(rpc, SGD::new, layer.remoteParameters(), 0.05);
 * try (var context = DistAutograd.context(rpc)) {
 *     context.backward(loss(layer));
 *     optimizer.step(context);
 * }
 * }
 *
 * <p>A step changes parameters in place. Calls that use them at the same time see some of them
 * changed and some not; where that matters, keep steps and calls apart, with {@link Rpc#barrier()}
 * say. PyTorch's <a
 * href="https://pytorch.org/docs/stable/distributed.optim.html">DistributedOptimizer</a>.
 */
public final class DistributedOptimizer implements AutoCloseable {
    private final Rpc rpc;
    private final List<RRef<RemoteOptimizer>> optimizers;

    private DistributedOptimizer(Rpc rpc, List<RRef<RemoteOptimizer>> optimizers) {
        this.rpc = rpc;
        this.optimizers = optimizers;
    }

    /**
     * As {@link #create(Rpc, Function2, List, Object)}, for a constructor that takes the parameters
     * only.
     */
    public static DistributedOptimizer create(
            Rpc rpc,
            Function1<List<Tensor>, ? extends Optimizer<?>> constructor,
            List<RRef<Tensor>> parameters) {
        return make(rpc, constructor, parameters);
    }

    /**
     * Make an optimizer on each worker that owns one of the parameters, and wait until they are
     * there.
     *
     * @param constructor a reference to the constructor of a local optimizer, marked {@link
     *     org.gradwire.rpc.RemoteCallable}
     * @param parameters at least one
     * @param a the constructor's argument after the parameters
     * @throws RuntimeException what went wrong on the first owner where something did
     */
    public static <A extends @Nullable Object> DistributedOptimizer create(
            Rpc rpc,
            Function2<List<Tensor>, A, ? extends Optimizer<?>> constructor,
            List<RRef<Tensor>> parameters,
            A a) {
        return make(rpc, constructor, parameters, a);
    }

    /**
     * As {@link #create(Rpc, Function2, List, Object)}, for a constructor that takes two more
     * arguments.
     */
    public static <A extends @Nullable Object, B extends @Nullable Object>
            DistributedOptimizer create(
                    Rpc rpc,
                    Function3<List<Tensor>, A, B, ? extends Optimizer<?>> constructor,
                    List<RRef<Tensor>> parameters,
                    A a,
                    B b) {
        return make(rpc, constructor, parameters, a, b);
    }

    private static DistributedOptimizer make(
            Rpc rpc,
            RpcFunction<?> constructor,
            List<RRef<Tensor>> parameters,
            @Nullable Object... options) {
        if (parameters.isEmpty()) {
            throw new IllegalArgumentException("optimizer got an empty parameter list");
        }
        List<@Nullable Object> optionList = new ArrayList<>();
        Collections.addAll(optionList, options);
        Map<String, List<RRef<Tensor>>> byOwner = new LinkedHashMap<>();
        parameters.forEach(parameter ->
                byOwner.computeIfAbsent(parameter.ownerName(), _ -> new ArrayList<>())
                        .add(parameter));
        List<RRef<RemoteOptimizer>> optimizers = new ArrayList<>();
        byOwner.forEach((owner, owned) ->
                optimizers.add(
                        rpc.<RpcFunction<?>, List<RRef<Tensor>>, List<?>, RemoteOptimizer>remote(
                                owner, RemoteOptimizer::create, constructor, owned, optionList)));
        var optimizer = new DistributedOptimizer(rpc, optimizers);
        try {
            optimizer.awaitCreation();
        } catch (RuntimeException e) {
            optimizer.close();
            throw e;
        }
        return optimizer;
    }

    /**
     * Change the parameters along the gradients that a context left on their owners, and wait until
     * all are changed. Parameters without a gradient in it are left alone.
     *
     * @throws RuntimeException what went wrong on the first owner where something did, after all
     *     have ended
     */
    public void step(AutogradContext context) {
        step(context.id());
    }

    /** As {@link #step(AutogradContext)}, for a context given by its id. */
    public void step(long contextId) {
        waitForAll(
                optimizers.stream()
                        .map(optimizer ->
                                rpc.runAsync(
                                        optimizer.ownerName(),
                                        RemoteOptimizer::step,
                                        optimizer,
                                        contextId))
                        .toList());
    }

    private void awaitCreation() {
        waitForAll(
                optimizers.stream()
                        .map(optimizer ->
                                rpc.runAsync(
                                        optimizer.ownerName(), RemoteOptimizer::exists, optimizer))
                        .toList());
    }

    private static void waitForAll(List<? extends RpcFuture<?>> futures) {
        RuntimeException first = null;
        for (RpcFuture<?> future : futures) {
            try {
                future.join();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Give the optimizers on the owners up. */
    @Override
    public void close() {
        optimizers.forEach(RRef::close);
    }
}
