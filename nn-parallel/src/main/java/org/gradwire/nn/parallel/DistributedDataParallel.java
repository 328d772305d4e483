package org.gradwire.nn.parallel;

import org.gradwire.autograd.GradMode;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.nn.Module;
import org.gradwire.nn.parallel.UnevenInputs.Step;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Trains replicas of a module on the members of a process group: each backward pass leaves the
 * average of the members' gradients. After PyTorch's {@code DistributedDataParallel}, and Li et
 * al., <i>PyTorch Distributed: Experiences on Accelerating Data Parallel Training</i>, 2020.
 *
 * {@snippet :
 * var parallel = DistributedDataParallel.of(group, model);
 * for (List<Tensor> batch : loader) {
 *     optimizer.zeroGrad();
 *     parallel.forward(m -> m.forward(batch.get(0))).crossEntropy(batch.get(1)).backward();
 *     optimizer.step();
 * }
 * }
 *
 * <p>All members make it from modules with the same parameters and buffers; it changes their values
 * to those of the member of rank 0. Then all of them run the same number of backward passes, in
 * sequence, each of which reaches at least one parameter. For different numbers of batches, see
 * {@link #join}.
 *
 * <p><b>Gradients.</b> They are averaged where the pass accumulates them: {@link Tensor#grad}, or
 * the gradients of a distributed autograd context. Averages are the sum in the order of the ranks
 * divided by the number of members, with the same bits on all of them. A parameter that no member
 * has used keeps its gradient, or has none; one that some have used gets an average in which the
 * others count as zeros. Gradients of sparse embeddings stay sparse.
 *
 * <p><b>Buckets.</b> Gradients are averaged in buckets while the pass computes others.
 *
 * <p><b>Threads.</b> An instance belongs to one thread at a time. The group is used by nothing else
 * while a pass runs; close it after this.
 *
 * <p><b>Failures.</b> A pass that fails on one member, for whatever reason, fails on all of them
 * and breaks the group. Make both again to continue.
 *
 * @param <M> type of the module
 */
public final class DistributedDataParallel<M extends Module> implements AutoCloseable {
    private final ProcessGroup group;
    private final M module;
    private final boolean broadcastsBuffers;
    private final Reducer reducer;
    private @Nullable UnevenInputs uneven;

    private DistributedDataParallel(Builder<M> builder) {
        this.group = builder.group;
        this.module = builder.module;
        this.broadcastsBuffers = builder.broadcastsBuffers;
        Replicas.requireAlike(group, "parameters and buffers", state());
        Replicas.broadcast(group, state().values(), 0);
        List<Tensor> trained = module.parameters().stream().filter(Tensor::requiresGrad).toList();
        if (trained.isEmpty()) {
            throw new IllegalArgumentException(
                    "no parameter of %s requires a gradient; there is nothing to train"
                            .formatted(module.getClass().getSimpleName()));
        }
        this.reducer =
                new Reducer(
                        group,
                        trained,
                        new BucketLayout(module, trained, builder.bucketBytes),
                        builder.hook);
    }

    private Map<String, Tensor> state() {
        Map<String, Tensor> state = new LinkedHashMap<>(module.namedParameters());
        state.putAll(module.namedBuffers());
        return state;
    }

    /**
     * Make a replica with the default options.
     *
     * @throws IllegalArgumentException on all members, if their modules have different parameters
     *     or buffers, or no parameter requires a gradient
     * @throws org.gradwire.rpc.RpcException if the group fails
     */
    public static <M extends Module> DistributedDataParallel<M> of(ProcessGroup group, M module) {
        return builder(group, module).build();
    }

    /** Start a builder. */
    public static <M extends Module> Builder<M> builder(ProcessGroup group, M module) {
        return new Builder<>(group, module);
    }

    /**
     * Collects options, which are the same on all members.
     *
     * @param <M> type of the module
     */
    public static final class Builder<M extends Module> {
        private final ProcessGroup group;
        private final M module;
        private long bucketBytes = 25 << 20;
        private boolean broadcastsBuffers = true;
        private CommunicationHook hook = CommunicationHook.allReduce();

        private Builder(ProcessGroup group, M module) {
            this.group = group;
            this.module = module;
        }

        /**
         * Set the size from which a bucket is full, in bytes; 25 MiB by default, 1 for the first.
         */
        public Builder<M> bucketBytes(long bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException(
                        "bucketBytes must be 1 or more, but is " + bytes);
            }
            bucketBytes = bytes;
            return this;
        }

        /**
         * Set whether each forward computation in training mode begins with the buffers of rank 0;
         * true by default.
         */
        public Builder<M> broadcastBuffers(boolean wanted) {
            broadcastsBuffers = wanted;
            return this;
        }

        /** Set the hook that averages gradients; {@link CommunicationHook#allReduce} by default. */
        public Builder<M> communicationHook(CommunicationHook average) {
            hook = average;
            return this;
        }

        /**
         * Make a replica, with all members.
         *
         * @throws RuntimeException as {@link DistributedDataParallel#of}
         */
        public DistributedDataParallel<M> build() {
            return new DistributedDataParallel<>(this);
        }
    }

    /** {@return the module of this member} */
    public M module() {
        return module;
    }

    /**
     * Run a forward computation of the module. In training mode with gradients, the members first
     * exchange the buffers, such as running means, unless within {@link #noSync}; in evaluation a
     * member may run it alone.
     *
     * @return the result of the computation
     */
    public <T extends @Nullable Object> T forward(Function<? super M, ? extends T> computation) {
        if (module.isTraining() && GradMode.enabled()) {
            Step step =
                    uneven == null
                            ? new Step(0, reducer.isEnabled())
                            : uneven.announce(reducer.isEnabled());
            begin(step);
        }
        return computation.apply(module);
    }

    private void begin(Step step) {
        if (step.averages()) {
            reducer.root(step.root());
            if (broadcastsBuffers) {
                Replicas.broadcast(group, module.buffers(), step.root());
            }
        }
    }

    /**
     * Open a scope within which backward passes accumulate the gradients of this member only. The
     * first pass after it averages the sums.
     *
     * {@snippet :
     * try (var _ = parallel.noSync()) {
     *     loss(first).backward();
     * }
     * loss(second).backward();
     * }
     */
    public NoSync noSync() {
        return new NoSync(reducer);
    }

    /** The scope of {@link #noSync}. */
    public static final class NoSync implements AutoCloseable {
        private final Reducer reducer;
        private final boolean before;

        private NoSync(Reducer reducer) {
            this.reducer = reducer;
            this.before = reducer.isEnabled();
            reducer.enable(false);
        }

        /** Average the gradients of later passes. */
        @Override
        public void close() {
            reducer.enable(before);
        }
    }

    /**
     * Run a training with a number of steps that may differ between the members. All members call
     * this; each step is one {@link #forward} and one backward pass. A member whose training ends
     * first takes part in the operations of the others, where it counts as a member with zero
     * gradients, until all have ended; then all get the parameters and buffers of one that was
     * among the last. After PyTorch's {@code Join}.
     *
     * {@snippet :
     * parallel.join(() -> loader.forEach(batch -> step(parallel, optimizer, batch)));
     * }
     *
     * @param training throws to fail on all members
     */
    public void join(Runnable training) {
        var inputs = new UnevenInputs(group);
        uneven = inputs;
        try {
            training.run();
            followOthers(inputs);
        } catch (RuntimeException | Error e) {
            if (group.failure().isEmpty()) {
                group.abort("the training of a member failed: " + e.getMessage());
            }
            throw e;
        } finally {
            uneven = null;
            reducer.root(0);
        }
    }

    private void followOthers(UnevenInputs inputs) {
        for (Step step; (step = inputs.follow()) != null; ) {
            begin(step);
            if (step.averages()) {
                reducer.shadow();
            }
        }
        // Those that ended before the last step have missed changes of the others.
        Replicas.broadcast(group, state().values(), inputs.lastRoot());
    }

    /** Leave the module as it is: later passes compute the gradients of this member only. */
    @Override
    public void close() {
        reducer.close();
    }

    /** {@return as in {@code DistributedDataParallel(rank 0 of 2, 4 parameters)}} */
    @Override
    public String toString() {
        return "DistributedDataParallel(rank %d of %d, %d parameters)"
                .formatted(group.rank(), group.size(), reducer.parameters().size());
    }
}
