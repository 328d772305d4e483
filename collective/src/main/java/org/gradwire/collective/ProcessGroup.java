package org.gradwire.collective;

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
 * arguments, unless stated. Tensors are of any type, and dense, except those of {@link
 * #allReduce(Tensor, ReduceOp)}; those on devices are exchanged through host memory.
 *
 * <p><b>Lists.</b> The forms of {@code allReduce}, {@code broadcast} and {@code allGather} that
 * take a list exchange all its tensors, of any types, in one operation, for instance the gradients
 * of a model.
 *
 * <p><b>Threads.</b> Any thread may call an operation, and operations of different groups may
 * overlap. Those of one group are matched by the order of their calls, so a program with several
 * threads orders them itself, or uses a group for each thread. Messages from one member to another
 * ({@link #sendTo}) are matched apart from all others. A tensor that is given to an operation must
 * not change before the operation ends.
 *
 * <p><b>Gradients.</b> {@code allReduce} of sums and means, {@code allGather}, {@link
 * #reduceScatter} of them, {@code broadcast} and {@link #allToAll} are differentiable, as in {@code
 * torch.distributed.nn}: the backward pass runs the opposite operation, so all members run it, in
 * the same order, and their tensors all require gradients or none does. The other operations refuse
 * tensors that require a gradient while gradients are recorded.
 *
 * <p><b>Failures.</b> An operation fails on all members if they call different ones ({@link
 * CollectiveMismatchException}), if a member is lost ({@link
 * org.gradwire.rpc.RpcConnectionException}), or if one does not take part in time ({@link
 * org.gradwire.rpc.RpcTimeoutException}). The group is broken then: later operations fail
 * immediately for the same reason. Make a new group.
 */
public final class ProcessGroup extends TensorOperations implements AutoCloseable {
    private final Groups groups;
    private final GroupState state;
    private final Members members;

    private ProcessGroup(Worker worker, CollectiveExtension extension, GroupState state) {
        super(new Calls(state, extension.sites()), new OperationRunner(worker, state));
        this.groups = extension.groups();
        this.state = state;
        this.members = state.members();
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
        return new ProcessGroup(worker, extension, state);
    }

    /** {@return the name of the group} */
    public String name() {
        return members.identity().name();
    }

    /** {@return the position of this worker among the members, from 0} */
    @Override
    public int rank() {
        return members.rank();
    }

    /** {@return the number of members} */
    @Override
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
     * Send a tensor to one member, which receives it by {@link #receiveFrom}. The messages from one
     * member to another are matched by the order of the calls on both, and are not counted with the
     * operations of all members.
     *
     * <p>A tensor of at most 32 KiB is copied, and the method returns at once, unless 128 messages
     * to that member wait there. A larger one is sent from its own memory, and the method returns
     * when the member has called {@link #receiveFrom}; two members that send to each other use
     * {@link #sendToAsync} for one of both. A message that the member has not received when it
     * closes the group is dropped.
     *
     * @param tensor of any type and shape, which the receiver need not know
     * @param rank of another member
     * @throws IllegalArgumentException if there is no such member, the tensor is sparse, or it
     *     requires a gradient: messages are not differentiable
     */
    public void sendTo(Tensor tensor, int rank) {
        Gradients.requireNone(tensor);
        var _ = runner.<@Nullable Void>run(calls.sendTo(tensor, rank));
    }

    /** Begin to {@linkplain #sendTo send a tensor}; it must not change before the future ends. */
    public RpcFuture<@Nullable Void> sendToAsync(Tensor tensor, int rank) {
        Gradients.requireNone(tensor);
        return runner.<@Nullable Void>start(calls.sendTo(tensor, rank));
    }

    /**
     * Wait for the next tensor that a member {@linkplain #sendTo sends} to this one, and return it.
     *
     * @param rank of another member
     * @return a tensor in host memory, with the type and shape of the sender's
     * @throws IllegalArgumentException if there is no such member
     */
    public Tensor receiveFrom(int rank) {
        return runner.run(calls.receiveFrom(rank));
    }

    /** Begin to {@linkplain #receiveFrom receive}: the place among the messages is taken now. */
    public RpcFuture<Tensor> receiveFromAsync(int rank) {
        return runner.start(calls.receiveFrom(rank));
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
                state.awaitAcknowledged();
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
