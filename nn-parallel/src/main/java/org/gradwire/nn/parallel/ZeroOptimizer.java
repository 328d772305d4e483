package org.gradwire.nn.parallel;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.nn.internal.StateIndices;
import org.gradwire.nn.internal.StateMerging;
import org.gradwire.optim.LearningRates;
import org.gradwire.optim.Optimizer;
import org.gradwire.optim.Schedulable;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * An optimizer whose state is sharded over the members of a process group: each updates its share
 * of the parameters and sends the new values to the others. After PyTorch's {@code
 * ZeroRedundancyOptimizer}, and Rajbhandari et al., <i>ZeRO: Memory Optimizations Toward Training
 * Trillion Parameter Models</i>, 2020 (stage 1).
 *
 * {@snippet :
 * var optimizer = ZeroOptimizer.of(group, model.parameters(), share -> new Adam(share, 0.01));
 * }
 *
 * <p>All members have the same parameters with the same gradients, such as those of {@link
 * DistributedDataParallel}, and call the same methods in the same order.
 *
 * <p><b>Threads.</b> An instance belongs to one thread at a time, as {@link Optimizer}.
 */
public final class ZeroOptimizer implements Schedulable {
    private static final String ALL_PARAMETERS = "param_groups.0.params"; // of the only group

    private final ProcessGroup group;
    private final List<Tensor> parameters;
    private final List<List<Integer>> shares; // numbers of parameters, by rank
    private final Optimizer<?> optimizer;

    private ZeroOptimizer(
            ProcessGroup group,
            List<Tensor> parameters,
            Function<? super List<Tensor>, ? extends Optimizer<?>> optimizer) {
        this.group = group;
        this.parameters = List.copyOf(parameters);
        this.shares = shares(this.parameters, group.size());
        this.optimizer = optimizer.apply(share(group.rank()));
    }

    /**
     * Create an optimizer, with all members.
     *
     * @param parameters at least one for each member
     * @param optimizer creates the optimizer of a share, with one group of parameters
     * @throws IllegalArgumentException if there are too few parameters; on all members, if theirs
     *     differ
     */
    public static ZeroOptimizer of(
            ProcessGroup group,
            List<Tensor> parameters,
            Function<? super List<Tensor>, ? extends Optimizer<?>> optimizer) {
        if (parameters.size() < group.size()) {
            throw new IllegalArgumentException(
                    "%d parameters cannot be shared by the %d members of %s; use an optimizer that is not sharded"
                            .formatted(parameters.size(), group.size(), group.name()));
        }
        Map<String, Tensor> numbered = new LinkedHashMap<>();
        parameters.forEach(parameter -> numbered.put("" + numbered.size(), parameter));
        Replicas.requireAlike(group, "parameters", numbered);
        return new ZeroOptimizer(group, parameters, optimizer);
    }

    /** Give each parameter, the largest first, to the member with the fewest elements. */
    private static List<List<Integer>> shares(List<Tensor> parameters, int members) {
        List<List<Integer>> shares = new ArrayList<>();
        IntStream.range(0, members).forEach(_ -> shares.add(new ArrayList<>()));
        long[] elements = new long[members];
        IntStream.range(0, parameters.size())
                .boxed()
                .sorted(
                        Comparator.comparingInt(
                                (Integer number) -> -parameters.get(number).numel()))
                .forEach(number -> {
                    int least = 0;
                    for (int rank = 1; rank < members; rank++) {
                        least = elements[rank] < elements[least] ? rank : least;
                    }
                    shares.get(least).add(number);
                    elements[least] += Math.max(1, parameters.get(number).numel());
                });
        shares.forEach(share -> share.sort(Comparator.naturalOrder()));
        return shares;
    }

    private List<Tensor> share(int rank) {
        return shares.get(rank).stream().map(parameters::get).toList();
    }

    /** {@return the parameters that this member updates} */
    public List<Tensor> share() {
        return share(group.rank());
    }

    /**
     * Update all parameters that have a {@linkplain Tensor#grad() gradient}, on all members.
     *
     * @throws org.gradwire.rpc.RpcException if the group fails
     */
    public void step() {
        optimizer.step();
        exchange();
    }

    /** Update all parameters with a gradient in the map; see {@link Optimizer#step(Map)}. */
    public void step(Map<Tensor, Tensor> gradients) {
        optimizer.step(gradients);
        exchange();
    }

    private void exchange() {
        for (int rank = 0; rank < group.size(); rank++) {
            Replicas.broadcast(group, share(rank), rank);
        }
    }

    /** Clear the gradients of all parameters. */
    public void zeroGrad() {
        parameters.forEach(parameter -> parameter.zeroGrad(true));
    }

    @Override
    public LearningRates learningRates() {
        return optimizer.learningRates();
    }

    @Override
    public void learningRates(LearningRates learningRates) {
        optimizer.learningRates(learningRates);
    }

    /**
     * Collect the state of all members on one, with parameters numbered as in the list that this
     * optimizer was made with: the state of an optimizer that is not sharded. All members call
     * this.
     *
     * @param root rank
     * @return empty on the others
     * @throws IllegalStateException if the options of the members differ
     */
    public Optional<Map<String, Tensor>> stateDict(int root) {
        Map<String, Tensor> own = indices(group.rank()).toNumbers(optimizer.stateDict());
        if (group.rank() != root) {
            NamedTensors.send(group, own, root);
            return Optional.empty();
        }
        List<Map<String, Tensor>> states = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            states.add(rank == root ? own : indices(rank).part(NamedTensors.receive(group, rank)));
        }
        return Optional.of(StateMerging.merge(group.members(), states));
    }

    /**
     * {@return this member's part of the state, with parameters numbered as in the list that this
     * optimizer was made with: states of the parameters that it updates, and the options, which are
     * equal on all members. The union of all parts is the state of an optimizer that is not
     * sharded. Tensors share the memory of the state; the map is modifiable}
     */
    public Map<String, Tensor> shareStateDict() {
        Map<String, Tensor> own = indices(group.rank()).toNumbers(optimizer.stateDict());
        own.put(ALL_PARAMETERS, Tensor.of(LongStream.range(0, parameters.size()).toArray()));
        return own;
    }

    /**
     * Verify that {@link #loadStateDict} accepts this member's part of a state, and change nothing.
     *
     * @throws IllegalArgumentException when it does not match; the message says why
     */
    public void checkStateDict(Map<String, Tensor> state) {
        optimizer.checkStateDict(part(state));
    }

    /**
     * Load this member's part of a state that {@link #stateDict} or an optimizer that is not
     * sharded has saved, over the same parameters; the number of members may differ.
     *
     * @throws IllegalArgumentException when the state does not match; nothing was changed
     */
    public void loadStateDict(Map<String, Tensor> state) {
        optimizer.loadStateDict(part(state));
    }

    private Map<String, Tensor> part(Map<String, Tensor> state) {
        Tensor all = state.get(ALL_PARAMETERS);
        if (all == null || all.numel() != parameters.size()) {
            throw new IllegalArgumentException(
                    "the saved state has %d parameters, the optimizer %d"
                            .formatted(all == null ? 0 : all.numel(), parameters.size()));
        }
        return indices(group.rank()).fromNumbers(state);
    }

    private StateIndices indices(int rank) {
        return new StateIndices(shares.get(rank));
    }

    /** {@return as in {@code ZeroOptimizer(3 of 10 parameters, Adam[...])}} */
    @Override
    public String toString() {
        return "ZeroOptimizer(%d of %d parameters, %s)"
                .formatted(share().size(), parameters.size(), optimizer);
    }
}
