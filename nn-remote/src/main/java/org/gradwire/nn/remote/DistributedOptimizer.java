package org.gradwire.nn.remote;

import org.gradwire.autograd.AutogradContext;
import org.gradwire.autograd.DistAutograd;
import org.gradwire.nn.remote.Owners.Owner;
import org.gradwire.nn.remote.Owners.Share;
import org.gradwire.optim.Optimizer;
import org.gradwire.optim.Rates;
import org.gradwire.optim.Scheduled;
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
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * An optimizer over parameters that live on several workers: one local optimizer on each, which
 * take their steps side by side.
 *
 * {@snippet :
 * List<RRef<Tensor>> parameters = layer.remoteParameters();
 * var optimizer =
 *         DistributedOptimizer.create(rpc, SGD::new, parameters, SGD.options(0.05).momentum(0.9));
 * parameters.forEach(RRef::close); // the optimizers on the owners hold the parameters
 * try (var context = DistAutograd.context(rpc)) {
 *     context.backward(loss(layer));
 *     optimizer.step(context);
 * }
 * }
 *
 * <p>The constructor may also be a static method of the program that returns an optimizer. A {@link
 * org.gradwire.optim.LRScheduler} of this one changes the learning rates on the owners. Belongs to
 * one thread at a time; several trainers have one each.
 *
 * <p>A step changes parameters in place. Calls that use them at the same time see some of them
 * changed and some not; where that matters, keep steps and calls apart, with {@link Rpc#barrier()}
 * say. PyTorch's <a
 * href="https://pytorch.org/docs/stable/distributed.optim.html">DistributedOptimizer</a>.
 */
public final class DistributedOptimizer implements Scheduled, AutoCloseable {
    private final Rpc rpc;
    private final Owners owners;
    private List<Rates> rates; // of each owner

    private DistributedOptimizer(Rpc rpc, Owners owners, List<Rates> rates) {
        this.rpc = rpc;
        this.owners = owners;
        this.rates = rates;
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
     * @throws DistributedOptimizerException when that failed on some owners
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
        Owners owners =
                Owners.of(
                        parameters,
                        (name, share) -> createOn(rpc, name, share, constructor, optionList));
        try {
            return new DistributedOptimizer(rpc, owners, owners.onAll("creation", ratesOf(rpc)));
        } catch (RuntimeException e) {
            owners.close();
            throw e;
        }
    }

    private static RRef<RemoteOptimizer> createOn(
            Rpc rpc,
            String owner,
            Share share,
            RpcFunction<?> constructor,
            List<@Nullable Object> options) {
        return rpc
                .<RpcFunction<?>, List<RRef<Tensor>>, List<Integer>, List<?>, RemoteOptimizer>
                        remote(
                                owner,
                                RemoteOptimizer::create,
                                constructor,
                                share.parameters(),
                                share.numbers(),
                                options);
    }

    private static Function<Owner, RpcFuture<Rates>> ratesOf(Rpc rpc) {
        return owner -> rpc.rpcAsync(owner.name(), RemoteOptimizer::rates, owner.optimizer());
    }

    /** {@return the names of the workers that own parameters} */
    public List<String> owners() {
        return owners.names();
    }

    /**
     * Change the parameters along the gradients that a context left on their owners, and wait until
     * all are changed. Parameters without a gradient in it are left alone. Steps on one owner,
     * those of other optimizers too, run one after another.
     *
     * @throws org.gradwire.rpc.RpcException when the context was closed
     * @throws DistributedOptimizerException when the step failed on some owners, after all have
     *     ended
     */
    public void step(AutogradContext context) {
        context.run(() -> {
            var _ =
                    owners.onAll(
                            "step",
                            owner ->
                                    rpc.runAsync(
                                            owner.name(),
                                            RemoteOptimizer::step,
                                            owner.optimizer(),
                                            context.id()));
        });
    }

    /**
     * As {@link #step(AutogradContext)}, in a context given by its id.
     *
     * @throws org.gradwire.rpc.RpcException when this worker does not know the context
     */
    public void step(long contextId) {
        step(DistAutograd.lookup(rpc, contextId));
    }

    /**
     * {@return the learning rates on the owners}
     *
     * @throws IllegalStateException when those of two owners differ, because the constructor made
     *     different groups there
     */
    @Override
    public Rates rates() {
        Rates first = rates.getFirst();
        for (int i = 1; i < rates.size(); i++) {
            if (!first.equals(rates.get(i))) {
                throw new IllegalStateException(
                        "the optimizer has %s on %s and %s on %s; a schedule needs the same groups of parameters on all owners"
                                .formatted(
                                        first, owners().getFirst(), rates.get(i), owners().get(i)));
            }
        }
        return first;
    }

    /**
     * Change the learning rates on all owners, and wait until they are changed. Nothing is sent
     * when they are so already.
     *
     * @throws DistributedOptimizerException when that failed on some owners; it may be tried again
     */
    @Override
    public void rates(Rates newRates) {
        if (newRates.equals(rates())) {
            return;
        }
        var _ =
                owners.onAll(
                        "change of learning rates",
                        owner ->
                                rpc.runAsync(
                                        owner.name(),
                                        RemoteOptimizer::setRates,
                                        owner.optimizer(),
                                        newRates));
        rates = Collections.nCopies(rates.size(), newRates);
    }

    /**
     * Gather the states from the owners: as {@link Optimizer#stateDict}, with parameters numbered
     * as in the list that the optimizer was made with. So it can be loaded where the same
     * parameters are spread over other workers.
     *
     * @return copies; the map may be changed
     * @throws IllegalStateException when the options of two owners differ
     * @throws DistributedOptimizerException when that failed on some owners
     */
    public Map<String, Tensor> stateDict() {
        return StateMerging.merge(
                owners(),
                owners.onAll(
                        "saving",
                        owner ->
                                rpc.rpcAsync(
                                        owner.name(),
                                        RemoteOptimizer::stateDict,
                                        owner.optimizer())));
    }

    /**
     * Go on from a saved state: that of a distributed optimizer of this kind, over parameters of
     * the same shapes in the same order, wherever they were.
     *
     * @throws DistributedOptimizerException when an owner refused its part; the others have loaded
     *     theirs
     */
    public void loadStateDict(Map<String, Tensor> state) {
        rates =
                owners.onAll(
                        "loading",
                        owner ->
                                rpc.rpcAsync(
                                        owner.name(),
                                        RemoteOptimizer::loadStateDict,
                                        owner.optimizer(),
                                        owner.indices().part(state)));
    }

    /** Give the optimizers on the owners up. */
    @Override
    public void close() {
        owners.close();
    }
}
