package org.gradwire.collective;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** Reductions of the members' tensors, in the order of their ranks. */
final class Reductions {

    private Reductions() {}

    /**
     * Check that tensors of a type can be reduced.
     *
     * @throws IllegalArgumentException if not
     */
    static void require(ReduceOp op, DType dtype) {
        boolean minOrMax = op == ReduceOp.MIN || op == ReduceOp.MAX;
        if (dtype == DType.BOOL && !minOrMax) {
            throw new IllegalArgumentException(
                    "%s of tensors of bool; MIN is their conjunction, MAX their disjunction, or convert them with to(DType.INT32)"
                            .formatted(op));
        }
        if (op == ReduceOp.MEAN && !dtype.isFloating()) {
            throw new IllegalArgumentException(
                    "MEAN of tensors of %s; it is for floating-point tensors: use SUM, or convert them with to(DType.FLOAT32)"
                            .formatted(dtype));
        }
    }

    /**
     * Return the reduction of tensors by rank. It may be in the memory of one that another member
     * sent, which must not be used afterwards.
     *
     * @param own rank of the tensor that stays as it is
     */
    static Tensor reduce(ReduceOp op, List<Tensor> tensors, int own) {
        DType dtype = tensors.getFirst().dtype();
        boolean half = dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
        if (tensors.size() == 1) {
            return tensors.getFirst().clone();
        }
        Tensor result = first(op, Lists.map(tensors.subList(0, 2), t -> widened(t, half)), own);
        for (int rank = 2; rank < tensors.size(); rank++) {
            result = combine(op, result, widened(tensors.get(rank), half));
        }
        if (op == ReduceOp.MEAN) {
            result = result.div_(tensors.size());
        }
        return half ? Ops.to(result, dtype) : result;
    }

    /**
     * Combine the first two tensors, in the memory of one of them: a + b and b + a are the same.
     */
    private static Tensor first(ReduceOp op, List<Tensor> two, int own) {
        int into = own == 0 ? 1 : 0;
        return combine(op, two.get(into), two.get(1 - into));
    }

    private static Tensor widened(Tensor tensor, boolean half) {
        return half ? Ops.to(tensor, DType.FLOAT32) : tensor;
    }

    private static Tensor combined(ReduceOp op, Tensor a, Tensor b) {
        boolean bool = a.dtype() == DType.BOOL;
        return switch (op) {
            case SUM, MEAN -> Ops.add(a, b);
            case PRODUCT -> Ops.mul(a, b);
            case MIN -> bool ? Ops.logicalAnd(a, b) : Ops.minimum(a, b);
            case MAX -> bool ? Ops.logicalOr(a, b) : Ops.maximum(a, b);
        };
    }

    /** Combine as {@link #combined}, in the memory of the first one where that is possible. */
    private static Tensor combine(ReduceOp op, Tensor own, Tensor next) {
        return switch (op) {
            case SUM, MEAN -> own.add_(next);
            case PRODUCT -> own.mul_(next);
            case MIN, MAX -> combined(op, own, next);
        };
    }
}
