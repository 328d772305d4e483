package org.gradwire.collective;

import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/** Makes the calls of operations; wrong arguments fail here, before a message is sent. */
final class Calls {
    private final GroupState group;
    private final SignatureFactory signatures;
    private final Collectives collectives;
    private final SparseReduction sparse;
    private final PointToPoint messages;

    Calls(GroupState group, CallSites sites) {
        this.group = group;
        sparse = new SparseReduction(group);
        messages = new PointToPoint(group);
        signatures = new SignatureFactory(group.members(), sites);
        collectives = new Collectives(group);
    }

    Call<List<Tensor>> allReduce(List<Tensor> list, ReduceOp op) {
        List<Tensor> tensors = List.copyOf(list);
        return collective(
                signatures.allReduce(tensors, op),
                round -> collectives.allReduce(round, tensors, op));
    }

    /** {@return the call for one tensor, which may be sparse} */
    Call<Tensor> allReduce(Tensor tensor, ReduceOp op) {
        return tensor.isSparse()
                ? collective(
                        signatures.allReduceSparse(tensor, op),
                        round -> sparse.allReduce(round, tensor, op))
                : allReduce(List.of(tensor), op).map(List::getFirst);
    }

    Call<List<Tensor>> broadcast(List<Tensor> list, int root) {
        List<Tensor> tensors = List.copyOf(list);
        return collective(
                signatures.broadcast(tensors, root),
                round -> collectives.broadcast(round, tensors, root));
    }

    Call<List<List<Tensor>>> allGather(List<Tensor> list) {
        List<Tensor> tensors = List.copyOf(list);
        return collective(
                signatures.allGather(tensors), round -> collectives.allGather(round, tensors));
    }

    Call<Tensor> reduceScatter(List<Tensor> tensors, ReduceOp op) {
        return collective(
                signatures.reduceScatter(tensors, op),
                round ->
                        collectives
                                .reduceScatter(round, tensors.stream().map(List::of).toList(), op)
                                .getFirst());
    }

    Call<List<Tensor>> reduceScatterLists(List<List<Tensor>> lists, ReduceOp op) {
        return collective(
                signatures.reduceScatterLists(lists, op),
                round -> collectives.reduceScatter(round, lists, op));
    }

    Call<Boolean> barrier() {
        return collective(
                signatures.barrier(),
                round -> {
                    collectives.barrier(round);
                    return true;
                });
    }

    Call<@Nullable List<Tensor>> reduce(List<Tensor> tensors, ReduceOp op, int root) {
        return collective(
                signatures.reduce(tensors, op, root),
                round -> collectives.reduce(round, tensors, op, root));
    }

    Call<List<Tensor>> gather(Tensor tensor, int root) {
        return collective(
                signatures.gather(tensor, root), round -> collectives.gather(round, tensor, root));
    }

    Call<Tensor> scatter(List<Tensor> tensors, int root) {
        return collective(
                signatures.scatter(tensors, root),
                round -> collectives.scatter(round, tensors, root));
    }

    Call<List<Tensor>> allToAll(List<Tensor> tensors) {
        return collective(
                signatures.allToAll(tensors), round -> collectives.allToAll(round, tensors));
    }

    Call<@Nullable Void> sendTo(Tensor tensor, int rank) {
        Signature signature = signatures.send(tensor, rank);
        return new Call<>(
                group.outgoing(rank), signature, round -> messages.send(round, tensor, rank));
    }

    Call<Tensor> receiveFrom(int rank) {
        Signature signature = signatures.receive(rank);
        return new Call<>(group.incoming(rank), signature, round -> messages.receive(round, rank));
    }

    private <T extends @Nullable Object> Call<T> collective(
            Signature signature, Function<Round, T> steps) {
        return new Call<>(group.collective(), signature, steps);
    }
}
