package org.gradwire.collective;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;

/**
 * The reduction of sparse tensors: each member sends its elements to all, and adds those of all in
 * the order of ranks, as the reduction of dense tensors does.
 */
final class SparseReduction {
    private final Exchange exchange;
    private final int size;

    SparseReduction(GroupState group) {
        this.exchange = new Exchange(group);
        this.size = group.members().size();
    }

    /** Check that sparse tensors of a type can be reduced. */
    static void require(ReduceOp op, DType dtype) {
        if (op != ReduceOp.SUM && op != ReduceOp.MEAN) {
            throw new IllegalArgumentException(
                    "%s of sparse tensors; they are reduced with SUM or MEAN, or call toDense()"
                            .formatted(op));
        }
        Reductions.require(op, dtype);
    }

    Tensor allReduce(Round round, Tensor tensor, ReduceOp op) {
        Tensor host = tensor.detach().to(Device.CPU).coalesce();
        List<Tensor> own = List.of(lent(round, host));
        List<List<Tensor>> parts = exchange.withAll(round, 0, _ -> own);
        List<Tensor> all =
                exchange.checked(parts, own, List.of(TensorType.of(host))).stream()
                        .map(List::getFirst)
                        .toList();
        return sum(all, op).to(tensor.device());
    }

    private static Tensor lent(Round round, Tensor host) {
        List<Tensor> held = List.of(host.heldIndices(), host.heldValues());
        List<Tensor> lent =
                HostTensors.lent(round, held.stream().map(HostTensors::onHost).toList());
        return coalesced(lent.get(0), lent.get(1), host.shape());
    }

    private static Tensor coalesced(Tensor indices, Tensor values, int[] shape) {
        return Tensor.sparseCoo(indices, values, true, shape);
    }

    /** Add coalesced tensors: coalescing adds the elements of an index in the order of the list. */
    private Tensor sum(List<Tensor> tensors, ReduceOp op) {
        DType dtype = tensors.getFirst().dtype();
        boolean half = dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
        List<Tensor> indices = new ArrayList<>();
        List<Tensor> values = new ArrayList<>();
        for (Tensor tensor : tensors) {
            indices.add(tensor.heldIndices());
            Tensor held = tensor.heldValues();
            values.add(half ? Ops.to(held, DType.FLOAT32) : held);
        }
        int[] shape = tensors.getFirst().shape();
        Tensor sum = Tensor.sparseCoo(Ops.cat(indices, 1), Ops.cat(values, 0), shape).coalesce();
        Tensor sums = op == ReduceOp.MEAN ? sum.heldValues().div(size) : sum.heldValues();
        return coalesced(sum.heldIndices(), half ? Ops.to(sums, dtype) : sums, shape);
    }
}
