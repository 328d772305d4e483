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
    private final PointToPoint messages;

    Calls(GroupState group, CallSites sites) {
        this.group = group;
        messages = new PointToPoint(group);
        signatures = new SignatureFactory(group.members(), sites);
        collectives = new Collectives(group);
    }

    Call<Tensor> allReduce(Tensor tensor, ReduceOp op) {
        return collective(
                signatures.allReduce(tensor, op),
                round -> collectives.allReduce(round, tensor, op));
    }

    Call<Tensor> broadcast(Tensor tensor, int root) {
        return collective(
                signatures.broadcast(tensor, root),
                round -> collectives.broadcast(round, tensor, root));
    }

    Call<List<Tensor>> allGather(Tensor tensor) {
        return collective(
                signatures.allGather(tensor), round -> collectives.allGather(round, tensor));
    }

    Call<Tensor> reduceScatter(List<Tensor> tensors, ReduceOp op) {
        return collective(
                signatures.reduceScatter(tensors, op),
                round -> collectives.reduceScatter(round, tensors, op));
    }

    Call<Boolean> barrier() {
        return collective(
                signatures.barrier(),
                round -> {
                    collectives.barrier(round);
                    return true;
                });
    }

    Call<@Nullable Tensor> reduce(Tensor tensor, ReduceOp op, int root) {
        return collective(
                signatures.reduce(tensor, op, root),
                round -> collectives.reduce(round, tensor, op, root));
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
