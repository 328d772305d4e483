package org.gradwire.collective;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.stream.IntStream;

/** The arguments of operations whose gradients are, or must not be, recorded. */
final class Gradients {
    private Gradients() {}

    static boolean areRecorded(Tensor tensor) {
        return tensor.requiresGrad() && GradMode.enabled();
    }

    static boolean areRecorded(List<Tensor> tensors) {
        return tensors.stream().anyMatch(Gradients::areRecorded);
    }

    static void requireNone(List<Tensor> tensors) {
        tensors.forEach(Gradients::requireNone);
    }

    /** Check the argument of an operation that has no gradient. */
    static void requireNone(Tensor tensor) {
        if (areRecorded(tensor)) {
            throw new IllegalArgumentException(
                    "this operation is not differentiable, and the tensor requires a gradient; pass tensor.detach(), or run it within GradMode.noGrad()");
        }
    }

    static Tensor[] array(List<Tensor> tensors) {
        return tensors.toArray(Tensor[]::new);
    }

    /** Split a list into a number of lists of equal lengths. */
    static List<List<Tensor>> split(List<Tensor> all, int count) {
        int length = all.size() / count;
        return IntStream.range(0, count)
                .mapToObj(i -> all.subList(i * length, (i + 1) * length))
                .toList();
    }
}
