package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DoubleBlocks;
import org.gradwire.tensor.kernel.DoubleBlocks.Step;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.Reduction;
import org.gradwire.tensor.rule.device.DeviceLosses;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Pointwise losses of input and target, computed in float64 in one pass.
 *
 * <p>The operands of a step are the input, the target, then the other arguments of the loss; the
 * last operand of a gradient step is the gradient of the losses.
 */
public final class PointwiseLossRules {

    private PointwiseLossRules() {}

    /** {@return the losses of the broadcast operands, reduced} */
    public static <A> Tensor forward(
            String function, List<Tensor> operands, Reduction reduction, Step step) {
        int[] shape = shape(operands);
        DType dtype = operands.get(0).dtype().promote(operands.get(1).dtype());
        for (Tensor operand : operands) {
            PoolingRules.checkFloating(function, operand);
        }
        Tensor there = DeviceLosses.pointwise(step, operands, dtype, shape, reduction);
        if (there != null) {
            return there;
        }
        if (reduction == Reduction.NONE) {
            Tensor losses = TensorAccess.fresh(dtype, shape);
            Elements<A> elements = DTypeAccess.elements(dtype);
            blocks(operands, shape).map(step, elements, TensorAccess.strided(losses));
            return losses;
        }
        double sum = blocks(operands, shape).sum(step);
        int count = Shapes.count(shape);
        return Tensor.scalar(dtype, sum * reduction.scale(count));
    }

    /** {@return the gradient of one operand, not yet reduced over broadcast dimensions} */
    public static <A> Tensor gradient(
            List<Tensor> operands, Tensor gradient, Reduction reduction, Step step) {
        int[] shape = shape(operands);
        double scale = reduction.scale(Shapes.count(shape));
        Tensor there = DeviceLosses.pointwiseGradient(step, operands, gradient, shape, scale);
        if (there != null) {
            return there;
        }
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape);
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        blocks(operands, shape)
                .add(elements, TensorAccess.strided(gradient, shape))
                .map(
                        reduction == Reduction.MEAN ? scaled(step, scale) : step,
                        elements,
                        TensorAccess.strided(result));
        return result;
    }

    private static Step scaled(Step step, double scale) {
        return (x, y, n) -> {
            step.apply(x, y, n);
            for (int i = 0; i < n; i++) {
                y[i] *= scale;
            }
        };
    }

    private static int[] shape(List<Tensor> operands) {
        int[] shape = TensorAccess.dims(operands.getFirst());
        for (Tensor operand : operands) {
            shape = Shapes.broadcast(shape, TensorAccess.dims(operand));
        }
        return shape;
    }

    private static DoubleBlocks blocks(List<Tensor> operands, int[] shape) {
        var blocks = new DoubleBlocks(Shapes.count(shape));
        for (Tensor operand : operands) {
            blocks.add(DTypeAccess.elements(operand.dtype()), TensorAccess.strided(operand, shape));
        }
        return blocks;
    }

    /** {@return an optional weight, or the number 1} */
    public static Tensor orOnes(@Nullable Tensor weight, DType dtype) {
        return weight == null ? Factories.number(dtype, 1) : weight;
    }
}
