package org.gradwire.collective;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Checks the arguments of operations, and makes their signatures. */
record SignatureFactory(Members members, CallSites sites) {

    Signature allReduce(List<Tensor> tensors, ReduceOp op) {
        requireReducible(op, tensors);
        return of(Operation.ALL_REDUCE, op, tensors, -1);
    }

    Signature allReduceSparse(Tensor tensor, ReduceOp op) {
        SparseReduction.require(op, tensor.dtype());
        List<TensorType> types = List.of(TensorType.of(tensor));
        return new Signature(Operation.ALL_REDUCE, op, types, -1, sites.here());
    }

    Signature broadcast(List<Tensor> tensors, int root) {
        return of(Operation.BROADCAST, null, tensors, required(root));
    }

    Signature allGather(List<Tensor> tensors) {
        return of(Operation.ALL_GATHER, null, tensors, -1);
    }

    /** The lists have equal lengths, types and shapes. */
    Signature reduceScatterLists(List<List<Tensor>> lists, ReduceOp op) {
        return of(Operation.REDUCE_SCATTER, op, lists.getFirst(), -1);
    }

    Signature reduceScatter(List<Tensor> tensors, ReduceOp op) {
        requireOneForEach(tensors);
        Tensor first = tensors.getFirst();
        Reductions.require(op, first.dtype());
        for (Tensor tensor : tensors) {
            if (tensor.dtype() != first.dtype() || !Arrays.equals(tensor.shape(), first.shape())) {
                throw new IllegalArgumentException(
                        "reduceScatter takes tensors of one type and shape, not %s%s and %s%s"
                                .formatted(
                                        first.dtype(),
                                        Arrays.toString(first.shape()),
                                        tensor.dtype(),
                                        Arrays.toString(tensor.shape())));
            }
        }
        return of(Operation.REDUCE_SCATTER, op, List.of(first), -1);
    }

    Signature barrier() {
        return new Signature(Operation.BARRIER, null, List.of(), -1, sites.here());
    }

    Signature reduce(List<Tensor> tensors, ReduceOp op, int root) {
        requireReducible(op, tensors);
        return of(Operation.REDUCE, op, tensors, required(root));
    }

    Signature gather(Tensor tensor, int root) {
        return of(Operation.GATHER, null, List.of(tensor), required(root));
    }

    Signature scatter(List<Tensor> tensors, int root) {
        if (required(root) == members.rank()) {
            requireOneForEach(tensors);
        }
        return new Signature(Operation.SCATTER, null, List.of(), root, sites.here());
    }

    Signature allToAll(List<Tensor> tensors) {
        requireOneForEach(tensors);
        DType dtype = tensors.getFirst().dtype();
        for (Tensor tensor : tensors) {
            if (tensor.dtype() != dtype) {
                throw new IllegalArgumentException(
                        "allToAll takes tensors of one type, not %s and %s"
                                .formatted(dtype, tensor.dtype()));
            }
        }
        List<TensorType> types = List.of(TensorType.ofAnyShape(dtype));
        return new Signature(Operation.ALL_TO_ALL, null, types, -1, sites.here());
    }

    Signature send(Tensor tensor, int rank) {
        requireDense(tensor);
        return message(rank);
    }

    Signature receive(int rank) {
        return message(rank);
    }

    /** {@return the signature of a message: its type and shape come with it} */
    private Signature message(int rank) {
        if (rank < 0 || rank >= members.size() || rank == members.rank()) {
            throw new IllegalArgumentException(
                    "the rank %d is not that of another member of the group %s, where %s has rank %d of %d"
                            .formatted(
                                    rank,
                                    members.identity().name(),
                                    members.self(),
                                    members.rank(),
                                    members.size()));
        }
        return new Signature(Operation.SEND, null, List.of(), -1, sites.here());
    }

    private Signature of(
            Operation operation, @Nullable ReduceOp op, List<Tensor> tensors, int root) {
        if (tensors.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s takes at least one tensor; the list is empty"
                            .formatted(operation.method()));
        }
        tensors.forEach(SignatureFactory::requireDense);
        if (tensors.size() > 1) {
            requireJoinable(operation, tensors);
        }
        List<TensorType> types = Lists.map(tensors, TensorType::of);
        return new Signature(operation, op, types, root, sites.here());
    }

    /** The tensors of each type are joined into one, which has an {@code int} of elements. */
    private static void requireJoinable(Operation operation, List<Tensor> tensors) {
        Map<DType, Long> elements = new EnumMap<>(DType.class);
        for (Tensor tensor : tensors) {
            long sum = elements.merge(tensor.dtype(), (long) tensor.numel(), Long::sum);
            if (sum > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "%s takes at most %d elements of a type in one list, but here are %d or more of %s; use several lists"
                                .formatted(
                                        operation.method(),
                                        Integer.MAX_VALUE,
                                        sum,
                                        tensor.dtype()));
            }
        }
    }

    private static void requireReducible(ReduceOp op, List<Tensor> tensors) {
        tensors.forEach(tensor -> Reductions.require(op, tensor.dtype()));
    }

    private int required(int root) {
        if (root < 0 || root >= members.size()) {
            throw new IllegalArgumentException(
                    "the root %d is not a rank of the group %s, which has %d members"
                            .formatted(root, members.identity().name(), members.size()));
        }
        return root;
    }

    private void requireOneForEach(List<Tensor> tensors) {
        if (tensors.size() != members.size()) {
            throw new IllegalArgumentException(
                    "%d tensors for the %d members of the group %s; give one for each"
                            .formatted(tensors.size(), members.size(), members.identity().name()));
        }
        tensors.forEach(SignatureFactory::requireDense);
    }

    private static void requireDense(Tensor tensor) {
        if (tensor.isSparse()) {
            throw new IllegalArgumentException(
                    "collective operations take dense tensors, and allReduce a sparse one alone; call toDense()");
        }
    }
}
