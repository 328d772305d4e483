package org.gradwire.collective;

import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Optional;

/** The collective operations of a {@link ProcessGroup} on one tensor of each member. */
abstract sealed class TensorOperations extends ListOperations permits ProcessGroup {

    TensorOperations(Calls calls, OperationRunner runner) {
        super(calls, runner);
    }

    /**
     * Reduce the tensors of all members; each gets the result.
     *
     * <p>{@code [...] -> [...]}
     *
     * <p>Sparse tensors are reduced with {@link ReduceOp#SUM} and {@link ReduceOp#MEAN}, without
     * gradients. Each member may have other elements, and any number of them, and gets those of
     * all; the tensors of the others are in its memory at once.
     *
     * @param tensor of the same type and shape on all members; sparse on all, with the same sparse
     *     dimensions, or on none
     * @return sparse and coalesced if the tensors are sparse, with the elements that the result of
     *     the dense tensors would have
     */
    public Tensor allReduce(Tensor tensor, ReduceOp op) {
        if (!tensor.isSparse()) {
            return allReduce(List.of(tensor), op).getFirst();
        }
        Gradients.requireNone(tensor);
        return runner.run(calls.allReduce(tensor, op));
    }

    /**
     * Reduce as {@link #allReduce(Tensor, ReduceOp)}, and change the tensor to the result. Return
     * the tensor.
     */
    public Tensor allReduce_(Tensor tensor, ReduceOp op) {
        return allReduce_(List.of(tensor), op).getFirst();
    }

    /** Begin an {@link #allReduce(Tensor, ReduceOp)}, without gradients. */
    public RpcFuture<Tensor> allReduceAsync(Tensor tensor, ReduceOp op) {
        Gradients.requireNone(tensor);
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
        return broadcast(List.of(tensor), root).getFirst();
    }

    /** Broadcast, and change the tensor to that of the root. Return the tensor. */
    public Tensor broadcast_(Tensor tensor, int root) {
        return broadcast_(List.of(tensor), root).getFirst();
    }

    /** Begin a {@link #broadcast(Tensor, int)}, without gradients. */
    public RpcFuture<Tensor> broadcastAsync(Tensor tensor, int root) {
        Gradients.requireNone(tensor);
        return runner.start(calls.broadcast(List.of(tensor), root).map(List::getFirst));
    }

    /**
     * Return the tensors of all members, by rank, on each member.
     *
     * @param tensor of the same type and shape on all members
     */
    public List<Tensor> allGather(Tensor tensor) {
        return firsts(allGather(List.of(tensor)));
    }

    /** Begin an {@link #allGather(Tensor)}, without gradients. */
    public RpcFuture<List<Tensor>> allGatherAsync(Tensor tensor) {
        Gradients.requireNone(tensor);
        return runner.start(calls.allGather(List.of(tensor)).map(TensorOperations::firsts));
    }

    private static List<Tensor> firsts(List<List<Tensor>> lists) {
        return lists.stream().map(List::getFirst).toList();
    }

    /**
     * Reduce lists of tensors by position; the member of rank {@code i} gets the result of position
     * {@code i}.
     *
     * @param tensors one for each member, all of the same type and shape
     */
    public Tensor reduceScatter(List<Tensor> tensors, ReduceOp op) {
        Call<Tensor> call = calls.reduceScatter(tensors, op);
        return Gradients.areRecorded(tensors)
                ? Differentiable.reduceScatter(this, op).apply(Gradients.array(tensors))
                : runner.run(call);
    }

    /** Begin a {@link #reduceScatter}, without gradients. */
    public RpcFuture<Tensor> reduceScatterAsync(List<Tensor> tensors, ReduceOp op) {
        Gradients.requireNone(tensors);
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
        Gradients.requireNone(tensor);
        return reduceList(List.of(tensor), op, root).map(List::getFirst);
    }

    /**
     * Collect the tensors of all members on the root.
     *
     * @param tensor of the same type and shape on all members
     * @param root rank
     * @return the tensors by rank on the root; no tensors on the others
     */
    public List<Tensor> gather(Tensor tensor, int root) {
        Gradients.requireNone(tensor);
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
            Gradients.requireNone(tensors);
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
        return Gradients.areRecorded(tensors)
                ? Differentiable.allToAll(this).applyAll(Gradients.array(tensors))
                : runner.run(call);
    }
}
