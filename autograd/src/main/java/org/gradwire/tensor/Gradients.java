package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;

/** What is common to gradients, local and distributed. */
public final class Gradients {

    private Gradients() {}

    /**
     * Return a gradient as one that may be stored and written to: itself when nobody else can see
     * its memory and it is contiguous, else a copy. It outlives the {@link TensorScope} it was made
     * in.
     *
     * @param exclusive as {@link GraphTask.Accumulator} gives it
     */
    public static Tensor own(Tensor gradient, boolean exclusive) {
        Tensor owned = writable(gradient, exclusive);
        owned.storage().escape();
        return owned;
    }

    private static Tensor writable(Tensor gradient, boolean exclusive) {
        return exclusive && gradient.isContiguous() ? gradient : Elementwise.copy(gradient);
    }

    /**
     * Return the sum of a gradient that is owned and another one, with the memory of the first.
     *
     * @param owned from {@link #own}
     */
    public static Tensor addTo(Tensor owned, Tensor gradient) {
        Elementwise.addInPlace(owned, gradient, 1);
        return owned;
    }

    /** Run a local pass. */
    static void backward(Tensor root, @Nullable Tensor gradient, boolean retainGraph) {
        if (!root.requiresGrad()) {
            throw new IllegalStateException(
                    "element 0 of tensors does not require grad and does not have a grad_fn");
        }
        Tensor seed = gradient == null ? implicit(root) : checked(root, gradient);
        var start = new GraphRoot(root);
        var task = new GraphTask(List.of(start), retainGraph, Gradients::accumulate);
        task.feed(start, gradient == null, seed);
        try {
            task.completion().join();
        } catch (CompletionException e) {
            throw rethrown(e.getCause());
        }
    }

    private static Tensor implicit(Tensor root) {
        if (root.numel() != 1) {
            throw new IllegalStateException(
                    "grad can be implicitly created only for scalar outputs; this one has shape %s, so pass backward its gradient"
                            .formatted(Arrays.toString(root.dims)));
        }
        return Tensor.ones(root.dtype(), root.dims);
    }

    private static Tensor checked(Tensor root, Tensor gradient) {
        if (!Arrays.equals(root.dims, gradient.dims)) {
            throw new IllegalArgumentException(
                    "Mismatch in shape: grad_output[0] has a shape of %s and output[0] has a shape of %s."
                            .formatted(Arrays.toString(gradient.dims), Arrays.toString(root.dims)));
        }
        return gradient.detach();
    }

    private static RuntimeException rethrown(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException failure) {
            return failure;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(cause);
    }

    private static void accumulate(Tensor variable, Tensor gradient, boolean exclusive) {
        synchronized (AccumulateGrad.of(variable)) { // two passes may end in one leaf
            Tensor before = variable.grad();
            variable.grad(before == null ? writable(gradient, exclusive) : addTo(before, gradient));
        }
    }

    /**
     * Return a gradient as the edge wants it: summed over what was broadcast, and of the type of
     * its input.
     */
    static Tensor fit(Tensor gradient, Edge edge, Node source, int index) {
        int[] wanted = edge.node().inputShape(edge.inputIndex());
        DType dtype = edge.node().inputDtype(edge.inputIndex());
        if (Arrays.equals(gradient.dims, wanted)) {
            return gradient.dtype() == dtype ? gradient : Elementwise.cast(gradient, dtype);
        }
        if (!broadcasts(wanted, gradient.dims)) {
            throw new IllegalStateException(
                    "Function %s returned an invalid gradient at index %d - got %s but expected shape compatible with %s"
                            .formatted(
                                    source.name(),
                                    index,
                                    Arrays.toString(gradient.dims),
                                    Arrays.toString(wanted)));
        }
        Tensor summed = Reductions.sumTo(gradient, wanted);
        return summed.dtype() == dtype ? summed : Elementwise.cast(summed, dtype);
    }

    /** {@return whether a shape broadcasts to another} */
    private static boolean broadcasts(int[] from, int[] to) {
        int added = to.length - from.length;
        if (added < 0) {
            return false;
        }
        for (int d = 0; d < from.length; d++) {
            if (from[d] != 1 && from[d] != to[added + d]) {
                return false;
            }
        }
        return true;
    }
}
