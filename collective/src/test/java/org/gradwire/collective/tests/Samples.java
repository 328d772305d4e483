package org.gradwire.collective.tests;

import org.gradwire.collective.ReduceOp;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random tensors, and results computed from the tensors of all members. */
final class Samples {
    private static final int[][] SHAPES = {
        {},
        {0},
        {1},
        {2, 3},
        {33},
        {4_095},
        {4_096},
        {4_097},
        {8_191},
        {8_192},
        {8_193},
        {91, 97},
        {3, 7_001}
    };

    private Samples() {}

    static int[] shape(RandomGenerator random) {
        return SHAPES[random.nextInt(SHAPES.length)].clone();
    }

    static DType dtype(RandomGenerator random) {
        List<DType> all = List.of(DType.values());
        return all.get(random.nextInt(all.size()));
    }

    static Tensor tensor(RandomGenerator random, DType dtype, int... shape) {
        Tensor numbers = Tensor.randn(random, shape);
        return dtype == DType.BOOL
                ? Ops.gt(numbers, 0)
                : Ops.to(dtype.isFloating() ? numbers : numbers.mul(100), dtype);
    }

    static List<Tensor> tensors(RandomGenerator random, int count, DType dtype, int... shape) {
        List<Tensor> tensors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tensors.add(tensor(random, dtype, shape));
        }
        return tensors;
    }

    static boolean reduces(ReduceOp op, DType dtype) {
        return switch (op) {
            case MIN, MAX -> true;
            case SUM, PRODUCT -> dtype != DType.BOOL;
            case MEAN -> dtype.isFloating();
        };
    }

    /** Reduce in the order of ranks. */
    static Tensor reduced(ReduceOp op, List<Tensor> tensors) {
        DType dtype = tensors.getFirst().dtype();
        DType wide = dtype == DType.FLOAT16 || dtype == DType.BFLOAT16 ? DType.FLOAT32 : dtype;
        Tensor result = Ops.to(tensors.getFirst(), wide);
        for (Tensor next : tensors.subList(1, tensors.size())) {
            result = combined(op, result, Ops.to(next, wide));
        }
        Tensor whole = op == ReduceOp.MEAN ? result.div(tensors.size()) : result;
        return Ops.to(whole, dtype);
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
}
