package org.gradwire.collective;

import org.gradwire.autograd.GradMode;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Workers that run collective operations with each other: all of them call the same operations in
 * the same order. After PyTorch's {@code torch.distributed}.
 *
 * {@snippet :
 * try (ProcessGroup trainers = ProcessGroup.of(rpc, "trainers", List.of("worker0", "worker1"))) {
 *     Tensor mean = trainers.allReduce(gradient, ReduceOp.MEAN);
 * }
 * }
 *
 * <p><b>Making a group</b> sends nothing. All members make it with the same name and the same
 * members in the same order, and make groups of one name in the same order. A worker may be in any
 * number of groups.
 *
 * <p><b>Results.</b> Reductions combine the tensors in the order of the ranks, on each member or on
 * one of them, so all members get the same bits, in each run. Results share no memory with
 * arguments, unless stated. Tensors are dense, of any type; those on devices are exchanged through
 * host memory.
 *
 * <p><b>Threads.</b> Any thread may call an operation, and operations of different groups may
 * overlap. Those of one group are matched by the order of their calls, so a program with several
 * threads orders them itself, or uses a group for each thread. A tensor that is given to an
 * operation must not change before the operation ends.
 *
 * <p><b>Gradients.</b> {@link #allReduce} of sums and means, {@link #allGather}, {@link
 * #reduceScatter} of them, {@link #broadcast} and {@link #allToAll} are differentiable, as in
 * {@code torch.distributed.nn}: the backward pass runs the opposite operation, so all members run
 * it, in the same order, and their tensors all require gradients or none does. The other operations
 * refuse tensors that require a gradient while gradients are recorded.
 *
 * <p><b>Failures.</b> An operation fails on all members if they call different ones ({@link
 * CollectiveMismatchException}), if a member is lost ({@link
 * org.gradwire.rpc.RpcConnectionException}), or if one does not take part in time ({@link
 * org.gradwire.rpc.RpcTimeoutException}). The group is broken then: later operations fail
 * immediately for the same reason. Make a new group.
 */
public final class ProcessGroup implements AutoCloseable {
    private final Groups groups;
    private final GroupState state;
    private final PartSender sender;
    private final Members members;
    private final Calls calls;
    private final OperationRunner runner;

    private ProcessGroup(
            Worker worker, CollectiveExtension extension, GroupState state, PartSender sender) {
        this.groups = extension.groups();
        this.state = state;
        this.sender = sender;
        this.members = state.members();
        this.calls = new Calls(state, extension.sites());
        this.runner = new OperationRunner(worker, state, sender);
    }

    /**
     * Make a group whose operations have the worker's default timeout.
     *
     * @param name the same on all members
     * @param members names of the workers, in the order of their ranks; with this worker
     * @throws IllegalArgumentException if a worker is named twice, or this worker is not among them
     * @throws RpcException if there is no such worker
     */
    public static ProcessGroup of(Rpc rpc, String name, List<String> members) {
        return make(rpc, name, members, null);
    }

    /**
     * Make a group as {@link #of(Rpc, String, List)}, with its own timeout.
     *
     * @param timeout limit of each wait for other members, more than zero
     */
    public static ProcessGroup of(Rpc rpc, String name, List<String> members, Duration timeout) {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("the timeout must be more than zero: " + timeout);
        }
        return make(rpc, name, members, timeout);
    }

    private static ProcessGroup make(
            Rpc rpc, String name, List<String> names, @Nullable Duration timeout) {
        GroupId.requireName(name);
        int rank = names.indexOf(rpc.self().name());
        if (rank < 0 || new HashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException(
                    "the members of the group %s are %s: name each once, and %s among them"
                            .formatted(name, names, rpc.self().name()));
        }
        WorkerInfo[] workers = names.stream().map(rpc::worker).toArray(WorkerInfo[]::new);
        Worker worker = Worker.of(rpc);
        CollectiveExtension extension = worker.extension(CollectiveExtension.class);
        PartSender sender = new PartSender(worker, timeout);
        GroupState state = extension.groups().make(name, workers, rank, sender);
        return new ProcessGroup(worker, extension, state, sender);
    }

    /** {@return the name of the group} */
    public String name() {
        return members.identity().name();
    }

    /** {@return the position of this worker among the members, from 0} */
    public int rank() {
        return members.rank();
    }

    /** {@return the number of members} */
    public int size() {
        return members.size();
    }

    /** {@return the names of the members, by rank} */
    public List<String> members() {
        return Arrays.stream(members.workers()).map(WorkerInfo::name).toList();
    }

    /** {@return the reason why the group is broken or closed; empty while it can be used} */
    public Optional<RpcException> failure() {
        return Optional.ofNullable(state.broken()).map(Failure::exception);
    }

    /**
     * Reduce the tensors of all members; each gets the result.
     *
     * <p>{@code [...] -> [...]}
     *
     * @param tensor of the same type and shape on all members
     */
    public Tensor allReduce(Tensor tensor, ReduceOp op) {
        return isRecorded(tensor)
                ? Differentiable.allReduce(this, op).apply(tensor)
                : runner.run(calls.allReduce(tensor, op));
    }

    /** Reduce as {@link #allReduce}, and change the tensor to the result. Return the tensor. */
    public Tensor allReduce_(Tensor tensor, ReduceOp op) {
        requireUnrecorded(tensor);
        Tensor values = tensor.detach();
        values.copy_(allReduce(values, op));
        return tensor;
    }

    /** Begin an {@link #allReduce}, without gradients. */
    public RpcFuture<Tensor> allReduceAsync(Tensor tensor, ReduceOp op) {
        requireUnrecorded(tensor);
        return runner.start(calls.allReduce(tensor, op));
    }

    /**
     * Return the tensor of the root on all members.
     *
     * @param tensor of the same type and shape on all members; only the root's elements are read
     * @param root rank
     * @return on the root, a tensor that shares the memory of {@code tensor}
     */
    public Tensor broadcast(Tensor tensor, int root) {
        return isRecorded(tensor)
                ? Differentiable.broadcast(this, root).apply(tensor)
                : runner.run(calls.broadcast(tensor, root));
    }

    /** Broadcast, and change the tensor to that of the root. Return the tensor. */
    public Tensor broadcast_(Tensor tensor, int root) {
        requireUnrecorded(tensor);
        Tensor values = tensor.detach();
        Tensor received = broadcast(values, root);
        if (rank() != root) {
            values.copy_(received);
        }
        return tensor;
    }

    /** Begin a {@link #broadcast}, without gradients. */
    public RpcFuture<Tensor> broadcastAsync(Tensor tensor, int root) {
        requireUnrecorded(tensor);
        return runner.start(calls.broadcast(tensor, root));
    }

    /**
     * Return the tensors of all members, by rank, on each member.
     *
     * @param tensor of the same type and shape on all members
     */
    public List<Tensor> allGather(Tensor tensor) {
        return isRecorded(tensor)
                ? Differentiable.allGather(this).applyAll(tensor)
                : runner.run(calls.allGather(tensor));
    }

    /** Begin an {@link #allGather}, without gradients. */
    public RpcFuture<List<Tensor>> allGatherAsync(Tensor tensor) {
        requireUnrecorded(tensor);
        return runner.start(calls.allGather(tensor));
    }

    /**
     * Reduce lists of tensors by position; the member of rank {@code i} gets the result of position
     * {@code i}.
     *
     * @param tensors one for each member, all of the same type and shape
     */
    public Tensor reduceScatter(List<Tensor> tensors, ReduceOp op) {
        Call<Tensor> call = calls.reduceScatter(tensors, op);
        return isRecorded(tensors)
                ? Differentiable.reduceScatter(this, op).apply(array(tensors))
                : runner.run(call);
    }

    /** Begin a {@link #reduceScatter}, without gradients. */
    public RpcFuture<Tensor> reduceScatterAsync(List<Tensor> tensors, ReduceOp op) {
        requireUnrecorded(tensors.toArray(Tensor[]::new));
        return runner.start(calls.reduceScatter(tensors, op));
    }

    /** Wait until all members have called this. */
    public void barrier() {
        var _ = runner.run(calls.barrier());
    }

    /**
     * Reduce the tensors of all members; the root gets the result.
     *
     * @param tensor of the same type and shape on all members
     * @param root rank
     * @return empty on the others, which do not wait for the root if the tensor is small
     */
    public Optional<Tensor> reduce(Tensor tensor, ReduceOp op, int root) {
        requireUnrecorded(tensor);
        return Optional.ofNullable(runner.<@Nullable Tensor>run(calls.reduce(tensor, op, root)));
    }

    /**
     * Collect the tensors of all members on the root.
     *
     * @param tensor of the same type and shape on all members
     * @param root rank
     * @return the tensors by rank on the root; no tensors on the others
     */
    public List<Tensor> gather(Tensor tensor, int root) {
        requireUnrecorded(tensor);
        return runner.run(calls.gather(tensor, root));
    }

    /**
     * Return to each member the tensor that the root has for it.
     *
     * @param tensors on the root, one for each member, of any shapes; ignored on the others
     * @param root rank
     */
    public Tensor scatter(List<Tensor> tensors, int root) {
        Call<Tensor> call = calls.scatter(tensors, root);
        if (rank() == root) {
            requireUnrecorded(array(tensors));
        }
        return runner.run(call);
    }

    /**
     * Send a tensor to each member, and return those from each.
     *
     * @param tensors by rank of the receiver; of one type, of any shapes
     * @return by rank of the sender
     */
    public List<Tensor> allToAll(List<Tensor> tensors) {
        Call<List<Tensor>> call = calls.allToAll(tensors);
        return isRecorded(tensors)
                ? Differentiable.allToAll(this).applyAll(array(tensors))
                : runner.run(call);
    }

    private static Tensor[] array(List<Tensor> tensors) {
        return tensors.toArray(Tensor[]::new);
    }

    private static boolean isRecorded(Tensor tensor) {
        return tensor.requiresGrad() && GradMode.enabled();
    }

    private static boolean isRecorded(List<Tensor> tensors) {
        return tensors.stream().anyMatch(ProcessGroup::isRecorded);
    }

    private static void requireUnrecorded(Tensor... tensors) {
        for (Tensor tensor : tensors) {
            if (isRecorded(tensor)) {
                throw new IllegalArgumentException(
                        "this operation is not differentiable, and the tensor requires a gradient; pass tensor.detach(), or run it within GradMode.noGrad()");
            }
        }
    }

    /**
     * Break the group on all members: operations that run fail, here and there, and later ones.
     *
     * @param reason for the message of the exceptions
     */
    public void abort(String reason) {
        state.fail(
                Failure.of(
                        RpcErrorKind.UNKNOWN,
                        "%s aborted the group %s: %s".formatted(members.self(), name(), reason)));
    }

    /**
     * Close the group on this member, after all members have begun the operations that this one has
     * called, or the timeout has passed. Operations that still need this member fail. Closing a
     * group again does nothing.
     */
    @Override
    public void close() {
        if (state.broken() == null) {
            try {
                sender.awaitAcknowledged();
            } catch (RpcException e) {
                state.fail(Failure.of(e, "closing the group " + name()));
            }
        }
        state.close();
        groups.remove(state);
    }

    /** {@return as in {@code ProcessGroup(trainers, rank 0 of 2)}} */
    @Override
    public String toString() {
        return "ProcessGroup(%s, rank %d of %d)".formatted(name(), rank(), size());
    }
}
