package org.gradwire.nn.remote;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.internal.StateMerging;
import org.gradwire.nn.remote.ParameterOwners.Owner;
import org.gradwire.nn.remote.ParameterOwners.Share;
import org.gradwire.optim.LearningRates;
import org.gradwire.optim.Optimizer;
import org.gradwire.optim.Schedulable;
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
 * An optimizer over parameters on several workers: it creates a local optimizer on each owner, and
 * all owners take their steps in parallel.
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
 * org.gradwire.optim.lr.LRScheduler} of this one changes the learning rates on the owners. Belongs
 * to one thread at a time; several trainers have one each.
 *
 * <p>A step changes parameters in place. Concurrent calls may see some of them changed and some
 * not; to avoid this, separate steps and calls, for example with {@link Rpc#barrier()}. PyTorch's
 * <a href="https://pytorch.org/docs/stable/distributed.optim.html">DistributedOptimizer</a>.
 */
public final class DistributedOptimizer implements Schedulable, AutoCloseable {
    private final Rpc rpc;
    private final ParameterOwners parameterOwners;
    private List<LearningRates> rates; // of each owner

    private DistributedOptimizer(
            Rpc rpc, ParameterOwners parameterOwners, List<LearningRates> rates) {
        this.rpc = rpc;
        this.parameterOwners = parameterOwners;
        this.rates = rates;
    }

    /**
     * Create an optimizer with a constructor of the parameters only; see {@link #create(Rpc,
     * Function2, List, Object)}.
     */
    public static DistributedOptimizer create(
            Rpc rpc,
            Function1<List<Tensor>, ? extends Optimizer<?>> constructor,
            List<RRef<Tensor>> parameters) {
        return make(rpc, constructor, parameters);
    }

    /**
     * Create an optimizer on each worker that owns a parameter, and wait until all exist.
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
     * Create an optimizer with a constructor of two more arguments; see {@link #create(Rpc,
     * Function2, List, Object)}.
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
        ParameterOwners parameterOwners =
                ParameterOwners.of(
                        parameters,
                        (name, share) -> createOn(rpc, name, share, constructor, optionList));
        try {
            return new DistributedOptimizer(
                    rpc, parameterOwners, parameterOwners.onAll("creation", ratesOf(rpc)));
        } catch (RuntimeException e) {
            parameterOwners.close();
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

    private static Function<Owner, RpcFuture<LearningRates>> ratesOf(Rpc rpc) {
        return owner -> rpc.rpcAsync(owner.name(), RemoteOptimizer::rates, owner.optimizer());
    }

    /** {@return the names of the workers that own parameters} */
    public List<String> owners() {
        return parameterOwners.names();
    }

    /**
     * Take a step on all owners with the gradients of a context, and wait for its end. Parameters
     * without a gradient are unchanged. Steps on one owner, including those of other optimizers,
     * run sequentially.
     *
     * @throws org.gradwire.rpc.RpcException when the context was closed
     * @throws DistributedOptimizerException when the step failed on some owners, after all have
     *     ended
     */
    public void step(AutogradContext context) {
        context.run(() -> {
            var _ =
                    parameterOwners.onAll(
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
     * Take a step in the context with an id; see {@link #step(AutogradContext)}.
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
    public LearningRates learningRates() {
        LearningRates first = rates.getFirst();
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
     * Set the learning rates on all owners, and wait for the end. Sends nothing if they are set
     * already.
     *
     * @throws DistributedOptimizerException when that failed on some owners; it may be tried again
     */
    @Override
    public void learningRates(LearningRates newRates) {
        if (newRates.equals(learningRates())) {
            return;
        }
        var _ =
                parameterOwners.onAll(
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
     * Gather the states from the owners, as {@link Optimizer#stateDict}, with parameters numbered
     * as in the list passed to {@code create}. It can be loaded for the same parameters on other
     * workers.
     *
     * @return copies; the map is modifiable
     * @throws IllegalStateException when the options of two owners differ
     * @throws DistributedOptimizerException when that failed on some owners
     */
    public Map<String, Tensor> stateDict() {
        return StateMerging.merge(
                owners(),
                parameterOwners.onAll(
                        "saving",
                        owner ->
                                rpc.rpcAsync(
                                        owner.name(),
                                        RemoteOptimizer::stateDict,
                                        owner.optimizer())));
    }

    /**
     * Verify that all owners accept their parts of a state, and change nothing.
     *
     * @throws DistributedOptimizerException when an owner refuses its part
     */
    public void checkStateDict(Map<String, Tensor> state) {
        var _ =
                parameterOwners.onAll(
                        "checking",
                        owner ->
                                rpc.runAsync(
                                        owner.name(),
                                        RemoteOptimizer::checkStateDict,
                                        owner.optimizer(),
                                        owner.indices().part(state)));
    }

    /**
     * Load a saved state: of a distributed optimizer of this kind, over parameters of the same
     * shapes in the same order, on any workers.
     *
     * @throws DistributedOptimizerException when an owner refused its part; the others have loaded
     *     theirs
     */
    public void loadStateDict(Map<String, Tensor> state) {
        rates =
                parameterOwners.onAll(
                        "loading",
                        owner ->
                                rpc.rpcAsync(
                                        owner.name(),
                                        RemoteOptimizer::loadStateDict,
                                        owner.optimizer(),
                                        owner.indices().part(state)));
    }

    /** Release the optimizers on the owners. */
    @Override
    public void close() {
        parameterOwners.close();
    }
}
