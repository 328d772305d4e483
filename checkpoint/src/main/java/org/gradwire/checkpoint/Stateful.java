package org.gradwire.checkpoint;

import org.gradwire.data.DataLoader;
import org.gradwire.nn.Module;
import org.gradwire.nn.parallel.ZeroOptimizer;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.GradScaler;
import org.gradwire.optim.LBFGS;
import org.gradwire.optim.Optimizer;
import org.gradwire.optim.lr.LRScheduler;
import org.gradwire.optim.lr.ReduceLROnPlateau;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A state that a checkpoint contains: tensors by name. After PyTorch's {@code Stateful} of {@code
 * torch.distributed.checkpoint}.
 *
 * <p>{@code Stateful.of} adapts modules, optimizers, schedulers and data loaders. A {@link
 * org.gradwire.data.Sampler} has no state: it computes an epoch from its seed and the number of the
 * epoch, which the loader has. A {@link java.util.SplittableRandom} has one that cannot be read:
 * use {@link StatefulRandom}, which returns the same numbers.
 *
 * <p>A checkpoint calls these methods on the thread that saves or loads.
 */
public interface Stateful {

    /**
     * {@return the tensors of the state by name; they may share memory with it, and none is sparse}
     */
    Map<String, Tensor> stateDict();

    /**
     * Load a state that {@link #check} has accepted. The tensors may be read-only, so they are
     * copied.
     */
    void loadStateDict(Map<String, Tensor> state);

    /**
     * Verify that a state can be loaded, and change nothing. The default accepts tensors of the
     * names, types and shapes that {@link #stateDict} has now.
     *
     * @throws IllegalArgumentException if it cannot; the message names the first difference
     */
    default void check(Map<String, Tensor> state) {
        StateChecks.requireAlike(stateDict(), state);
    }

    /**
     * {@return the rows of tensors that other members hold other rows of, by the names of the
     * tensors; all other tensors are whole} It may name tensors that the state does not have yet,
     * such as those of an optimizer before its first step.
     */
    default Map<String, Rows> rows() {
        return Map.of();
    }

    /** Return a state whose tensors are rows of larger ones; see {@link #rows}. */
    static Stateful sharded(Stateful state, Map<String, Rows> rows) {
        return new ShardedState(state, Map.copyOf(rows));
    }

    /**
     * Return a state of a program, whose names, types and shapes do not change.
     *
     * @param reader returns its tensors
     * @param loader loads them; they may be read-only
     */
    static Stateful of(Supplier<Map<String, Tensor>> reader, Consumer<Map<String, Tensor>> loader) {
        return AdaptedState.of(reader, loader);
    }

    /** Return the state of a module: its parameters and persistent buffers. */
    static Stateful of(Module module) {
        return AdaptedState.of(
                module::stateDict,
                state -> {
                    var _ = module.loadStateDict(state);
                });
    }

    /**
     * Return the state of a module on another worker. One member saves it; it travels through that
     * member.
     */
    static Stateful of(RemoteModule<?> module) {
        return AdaptedState.of(
                module::stateDict,
                state -> {
                    var _ = module.loadStateDict(StateChecks.copies(state));
                });
    }

    /** Return the state of an optimizer, with the options of its groups. */
    static Stateful of(Optimizer<?> optimizer) {
        return new AdaptedState(
                optimizer::stateDict, optimizer::loadStateDict, optimizer::checkStateDict);
    }

    /** Return the state of an optimizer that one member saves as a whole. */
    static Stateful of(LBFGS optimizer) {
        return new AdaptedState(
                optimizer::stateDict, optimizer::loadStateDict, optimizer::checkStateDict);
    }

    /** Return the state of an optimizer: each member saves its own share of it. */
    static Stateful of(ZeroOptimizer optimizer) {
        return new AdaptedState(
                optimizer::shareStateDict, optimizer::loadStateDict, optimizer::checkStateDict);
    }

    /**
     * Return the state of an optimizer on other workers. One member saves it; it travels through
     * that member, once for the check by the owners of the parameters, once for the load.
     */
    static Stateful of(DistributedOptimizer optimizer) {
        return new AdaptedState(
                optimizer::stateDict,
                state -> optimizer.loadStateDict(StateChecks.copies(state)),
                state -> StateChecks.requireAccepted(optimizer, StateChecks.copies(state)));
    }

    /** Return the state of a scheduler. The optimizer's state has the current rates. */
    static Stateful of(LRScheduler scheduler) {
        return AdaptedState.of(scheduler::stateDict, scheduler::loadStateDict);
    }

    /** Return the state of a scheduler. The optimizer's state has the current rates. */
    static Stateful of(ReduceLROnPlateau scheduler) {
        return AdaptedState.of(scheduler::stateDict, scheduler::loadStateDict);
    }

    /** Return the state of a scaler of losses. */
    static Stateful of(GradScaler scaler) {
        return AdaptedState.of(scaler::stateDict, scaler::loadStateDict);
    }

    /**
     * Return the number of the next epoch of a loader. A position within an epoch is not saved, so
     * save at the end of an epoch, or skip the batches that were used.
     */
    static Stateful of(DataLoader<?> loader) {
        return AdaptedState.of(
                () -> Map.of("epoch", Tensor.scalar(DType.INT64, loader.epoch())),
                state -> loader.epoch(StateChecks.get(state, "epoch").itemAsLong()));
    }
}
