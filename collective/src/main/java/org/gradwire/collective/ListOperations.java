package org.gradwire.collective;

import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** The collective operations of a {@link ProcessGroup} on a list of tensors of each member. */
abstract sealed class ListOperations permits TensorOperations {
    final Calls calls;
    final OperationRunner runner;

    ListOperations(Calls calls, OperationRunner runner) {
        this.calls = calls;
        this.runner = runner;
    }

    /** {@return the position of this worker among the members, from 0} */
    public abstract int rank();

    /** {@return the number of members} */
    public abstract int size();

    /**
     * Reduce each tensor of a list with those at its position on the other members, in one
     * operation: the list is exchanged as a whole. Each member gets the results, which have the
     * same bits as those of single tensors.
     *
     * @param tensors at least one, of any types that the operator takes; of the same types and
     *     shapes on all members
     * @return by position
     */
    public List<Tensor> allReduce(List<Tensor> tensors, ReduceOp op) {
        return Gradients.areRecorded(tensors)
                ? Differentiable.allReduce(this, op).applyAll(Gradients.array(tensors))
                : runner.run(calls.allReduce(tensors, op));
    }

    /**
     * Reduce as {@link #allReduce(List, ReduceOp)}, and change the tensors to the results. Return
     * the list.
     */
    public List<Tensor> allReduce_(List<Tensor> tensors, ReduceOp op) {
        Gradients.requireNone(tensors);
        List<Tensor> results = runner.run(calls.allReduce(tensors, op));
        for (int i = 0; i < results.size(); i++) {
            var _ = tensors.get(i).detach().copy_(results.get(i));
        }
        return tensors;
    }

    /** Begin an {@link #allReduce(List, ReduceOp)}, without gradients. */
    public RpcFuture<List<Tensor>> allReduceAsync(List<Tensor> tensors, ReduceOp op) {
        Gradients.requireNone(tensors);
        return runner.start(calls.allReduce(tensors, op));
    }

    /**
     * Return the tensors of the root on all members, in one operation.
     *
     * @param tensors at least one; of the same types and shapes on all members; only the root's
     *     elements are read
     * @param root rank
     * @return by position; on the root, tensors that share the memory of {@code tensors}
     */
    public List<Tensor> broadcast(List<Tensor> tensors, int root) {
        return Gradients.areRecorded(tensors)
                ? Differentiable.broadcast(this, root).applyAll(Gradients.array(tensors))
                : runner.run(calls.broadcast(tensors, root));
    }

    /** Broadcast a list, and change the tensors to those of the root. Return the list. */
    public List<Tensor> broadcast_(List<Tensor> tensors, int root) {
        Gradients.requireNone(tensors);
        List<Tensor> received = runner.run(calls.broadcast(tensors, root));
        for (int i = 0; rank() != root && i < received.size(); i++) {
            var _ = tensors.get(i).detach().copy_(received.get(i));
        }
        return tensors;
    }

    /** Begin a {@link #broadcast(List, int)}, without gradients. */
    public RpcFuture<List<Tensor>> broadcastAsync(List<Tensor> tensors, int root) {
        Gradients.requireNone(tensors);
        return runner.start(calls.broadcast(tensors, root));
    }

    /**
     * Return the lists of all members, by rank, on each member, in one operation.
     *
     * @param tensors at least one; of the same types and shapes on all members
     */
    public List<List<Tensor>> allGather(List<Tensor> tensors) {
        return Gradients.areRecorded(tensors)
                ? byRank(Differentiable.allGather(this).applyAll(Gradients.array(tensors)))
                : runner.run(calls.allGather(tensors));
    }

    private List<List<Tensor>> byRank(List<Tensor> all) {
        return Gradients.split(all, size());
    }

    /** Begin an {@link #allGather(List)}, without gradients. */
    public RpcFuture<List<List<Tensor>>> allGatherAsync(List<Tensor> tensors) {
        Gradients.requireNone(tensors);
        return runner.start(calls.allGather(tensors));
    }

    // ---- for gradients

    /**
     * Reduce lists by position; the member of rank {@code i} gets the results of list {@code i}.
     */
    List<Tensor> reduceScatterLists(List<List<Tensor>> lists, ReduceOp op) {
        return runner.run(calls.reduceScatterLists(lists, op));
    }

    /** Reduce lists; empty on all but the root. */
    Optional<List<Tensor>> reduceList(List<Tensor> tensors, ReduceOp op, int root) {
        return Optional.ofNullable(
                runner.<@Nullable List<Tensor>>run(calls.reduce(tensors, op, root)));
    }
}
