package org.gradwire.bench.local;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An operator with its operands, as {@code pytorch_operators.py} has it under the same name.
 *
 * @param hasBackward whether the backward pass is measured too
 * @param operands makes the operands; gradients are computed for those of floating-point types
 */
record OperatorCase(
        String name,
        boolean hasBackward,
        Supplier<List<Tensor>> operands,
        Function<List<Tensor>, Tensor> operator) {

    static OperatorCase forward(
            String name, Supplier<List<Tensor>> operands, Function<List<Tensor>, Tensor> operator) {
        return new OperatorCase(name, false, operands, operator);
    }

    static OperatorCase both(
            String name, Supplier<List<Tensor>> operands, Function<List<Tensor>, Tensor> operator) {
        return new OperatorCase(name, true, operands, operator);
    }

    /** Return the call of the operator. */
    Runnable forward() {
        List<Tensor> tensors = operands.get();
        return () -> {
            try (var _ = TensorScope.open()) {
                var _ = operator.apply(tensors);
            }
        };
    }

    /** Return the call of the operator and of the backward pass from a dense gradient. */
    Runnable backward() {
        List<Tensor> tensors = operands.get();
        List<Tensor> leaves =
                tensors.stream().filter(tensor -> tensor.dtype().isFloating()).toList();
        leaves.forEach(leaf -> leaf.requiresGrad(true));
        int[] shape = operator.apply(tensors).shape();
        Tensor gradient = Tensor.rand(new Random(shape.length), shape);
        return () -> {
            try (var _ = TensorScope.open()) {
                operator.apply(tensors).backward(gradient);
                leaves.forEach(leaf -> leaf.grad(null));
            }
        };
    }

    /** {@return the operand of an operator with one} */
    static Supplier<List<Tensor>> rand(int... shape) {
        return rands(shape);
    }

    /** {@return operands of several shapes} */
    static Supplier<List<Tensor>> rands(int[]... shapes) {
        return () -> {
            var random = new Random(1);
            return Arrays.stream(shapes).map(shape -> Tensor.rand(random, shape)).toList();
        };
    }
}
