package org.gradwire.collective;

import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Makes the calls of operations; wrong arguments fail here, before a message is sent. */
final class Calls {
    private final SignatureFactory signatures;
    private final Collectives collectives;

    Calls(GroupState group, CallSites sites) {
        signatures = new SignatureFactory(group.members(), sites);
        collectives = new Collectives(group);
    }

    Call<Tensor> allReduce(Tensor tensor, ReduceOp op) {
        return new Call<>(
                signatures.allReduce(tensor, op),
                round -> collectives.allReduce(round, tensor, op));
    }

    Call<Tensor> broadcast(Tensor tensor, int root) {
        return new Call<>(
                signatures.broadcast(tensor, root),
                round -> collectives.broadcast(round, tensor, root));
    }

    Call<List<Tensor>> allGather(Tensor tensor) {
        return new Call<>(
                signatures.allGather(tensor), round -> collectives.allGather(round, tensor));
    }

    Call<Tensor> reduceScatter(List<Tensor> tensors, ReduceOp op) {
        return new Call<>(
                signatures.reduceScatter(tensors, op),
                round -> collectives.reduceScatter(round, tensors, op));
    }

    Call<Boolean> barrier() {
        return new Call<>(
                signatures.barrier(),
                round -> {
                    collectives.barrier(round);
                    return true;
                });
    }

    Call<@Nullable Tensor> reduce(Tensor tensor, ReduceOp op, int root) {
        return new Call<>(
                signatures.reduce(tensor, op, root),
                round -> collectives.reduce(round, tensor, op, root));
    }

    Call<List<Tensor>> gather(Tensor tensor, int root) {
        return new Call<>(
                signatures.gather(tensor, root), round -> collectives.gather(round, tensor, root));
    }

    Call<Tensor> scatter(List<Tensor> tensors, int root) {
        return new Call<>(
                signatures.scatter(tensors, root),
                round -> collectives.scatter(round, tensors, root));
    }

    Call<List<Tensor>> allToAll(List<Tensor> tensors) {
        return new Call<>(
                signatures.allToAll(tensors), round -> collectives.allToAll(round, tensors));
    }
}
