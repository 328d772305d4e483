package org.gradwire.autograd;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Layout;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.GradientArithmetic;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.sparse.SparseTensors;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.DevicePlacement;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * Computes gradients of some tensors with respect to others, with or without {@link Tensor#grad};
 * has the arithmetic that local and distributed passes share.
 *
 * <p>Gradients are not recorded. {@code create_graph}, and with it the gradient of a gradient, is
 * not offered: a backward pass over the results of computations on gradients is refused.
 */
public final class Gradients {

    private Gradients() {}

    /**
     * Return a gradient as one that may be stored and written to: itself when its memory is
     * exclusive and it is contiguous, else a copy. For a sparse gradient, the values must be
     * exclusive, and a new tensor holds them. It outlives the {@link TensorScope} it was made in.
     *
     * @param exclusive as {@link GraphTask.Accumulator} gives it
     */
    public static Tensor own(Tensor gradient, boolean exclusive) {
        Tensor owned = writable(gradient, exclusive);
        TensorAccess.storage(owned).escape();
        return owned;
    }

    private static Tensor writable(Tensor gradient, boolean exclusive) {
        boolean kept = exclusive && GradientArithmetic.isContiguous(gradient);
        return GradientArithmetic.shallow(kept ? gradient : GradientArithmetic.copy(gradient));
    }

    /**
     * Return the sum of a gradient that is owned and another one: the first, changed in place,
     * unless it is sparse and the other one is not.
     *
     * @param owned from {@link #own}
     * @param exclusive as {@link GraphTask.Accumulator} gives it; if so, the memory of the other
     *     one may be released
     */
    public static Tensor addTo(Tensor owned, Tensor gradient, boolean exclusive) {
        Tensor sum = sum(owned, gradient);
        if (exclusive && !TensorAccess.storage(owned).shares(TensorAccess.storage(gradient))) {
            TensorAccess.storage(gradient).giveBack();
        }
        return sum;
    }

    private static Tensor sum(Tensor owned, Tensor gradient) {
        if (owned.isSparse() && !gradient.isSparse()) {
            return own(GradientArithmetic.add(owned, gradient), true);
        }
        GradientArithmetic.addInPlace(owned, gradient, 1);
        if (owned.isSparse()) {
            TensorAccess.storage(owned).escape(); // it holds memory of this pass
        }
        return owned;
    }

    /**
     * Return the gradients of the sum of scalars with respect to some tensors; see {@link
     * #grad(List, List, List, boolean)}.
     */
    public static List<Tensor> grad(List<Tensor> outputs, List<Tensor> inputs) {
        return grad(outputs, inputs, List.of(), false);
    }

    /**
     * Return the gradients of tensors with respect to others, leaves or results in between, without
     * touching any {@link Tensor#grad}. Only gradients on paths between them are computed. Hooks of
     * tensors on the path run, those of the inputs too. The counterpart of {@code
     * torch.autograd.grad}.
     *
     * <p>The gradients are plain tensors: there is no {@code createGraph}, and what is computed
     * from them has no gradient.
     *
     * @param outputs whose weighted sum is differentiated
     * @param inputs with respect to which
     * @param gradOutputs the gradient of each output; empty when all outputs are scalars, for ones
     * @param retainGraph whether what the graph keeps is kept for another pass
     * @return one for each input, of its shape and type, in separate memory
     * @throws IllegalStateException when an output or input requires no gradient, no output depends
     *     on an input, or the pass fails
     */
    public static List<Tensor> grad(
            List<Tensor> outputs,
            List<Tensor> inputs,
            List<Tensor> gradOutputs,
            boolean retainGraph) {
        return gradAllowUnused(outputs, inputs, gradOutputs, retainGraph).stream()
                .map(gradient ->
                        gradient.orElseThrow(() ->
                                new IllegalStateException(
                                        "One of the differentiated Tensors appears to not have been used in the graph. Use gradAllowUnused if this is the desired behavior.")))
                .toList();
    }

    /**
     * As {@link #grad(List, List, List, boolean)}; where no output depends on an input, its
     * gradient is empty.
     */
    public static List<Optional<Tensor>> gradAllowUnused(
            List<Tensor> outputs,
            List<Tensor> inputs,
            List<Tensor> gradOutputs,
            boolean retainGraph) {
        if (inputs.isEmpty()) {
            throw new IllegalArgumentException("grad requires non-empty inputs.");
        }
        var found = new @Nullable Tensor[inputs.size()];
        var backwardTargets = new BackwardTargets();
        for (int i = 0; i < found.length; i++) {
            int index = i;
            backwardTargets.capture(
                    differentiable(inputs.get(i)),
                    (gradient, exclusive) -> found[index] = writable(gradient, exclusive));
        }
        run(outputs, gradOutputs, retainGraph, backwardTargets);
        return Arrays.stream(found).map(Optional::ofNullable).toList();
    }

    /**
     * Compute the gradients of all leaves of some tensors, and add them to their {@link
     * Tensor#grad}. The counterpart of {@code torch.autograd.backward}.
     *
     * @param roots whose weighted sum is differentiated
     * @param gradients of each root; empty when all roots are scalars, for ones
     * @param retainGraph whether what the graph keeps is kept for another pass
     * @throws IllegalStateException as {@link Tensor#backward(Tensor)}
     */
    public static void backward(List<Tensor> roots, List<Tensor> gradients, boolean retainGraph) {
        run(roots, gradients, retainGraph, null);
    }

    /**
     * As {@link #backward(List, List, boolean)}, for some tensors only, leaves or results in
     * between; the {@link Tensor#grad} of others stays, and nothing is computed for them.
     *
     * @param inputs at least one; each requires a gradient
     */
    public static void backward(
            List<Tensor> roots, List<Tensor> gradients, boolean retainGraph, List<Tensor> inputs) {
        if (inputs.isEmpty()) {
            throw new IllegalArgumentException("'inputs' argument to backward cannot be empty.");
        }
        var backwardTargets = new BackwardTargets();
        for (Tensor input : Set.copyOf(inputs)) {
            if (differentiable(input).isLeaf()) {
                backwardTargets.accumulate(input);
            } else if (input.retainsGrad()) {
                backwardTargets.capture(input, (_, _) -> {}); // the hooks do it
            } else {
                backwardTargets.capture(input, (gradient, _) -> retain(input, gradient));
            }
        }
        run(roots, gradients, retainGraph, backwardTargets);
    }

    private static Tensor differentiable(Tensor input) {
        if (!input.requiresGrad()) {
            throw new IllegalStateException(
                    "One of the differentiated Tensors does not require grad: "
                            + TensorAccess.describe(input));
        }
        return input;
    }

    /** Run a local pass. */
    static void backward(Tensor root, @Nullable Tensor gradient, boolean retainGraph) {
        run(List.of(root), gradient == null ? List.of() : List.of(gradient), retainGraph, null);
    }

    private static void run(
            List<Tensor> roots,
            List<Tensor> gradients,
            boolean retainGraph,
            @Nullable BackwardTargets backwardTargets) {
        Tensor[] seeds = seeds(roots, gradients);
        var start = new GraphRoot(roots);
        var task =
                new GraphTask(List.of(start), retainGraph, Gradients::accumulate, backwardTargets);
        task.feed(start, gradients.isEmpty(), seeds);
        try {
            task.completion().join();
        } catch (CompletionException e) {
            throw rethrown(e.getCause());
        }
    }

    private static Tensor[] seeds(List<Tensor> roots, List<Tensor> gradients) {
        if (roots.isEmpty()) {
            throw new IllegalArgumentException("a backward pass needs at least one tensor");
        }
        if (!gradients.isEmpty() && gradients.size() != roots.size()) {
            throw new IllegalArgumentException(
                    "got %d tensors and %d gradients".formatted(roots.size(), gradients.size()));
        }
        var seeds = new Tensor[roots.size()];
        for (int i = 0; i < seeds.length; i++) {
            Tensor root = roots.get(i);
            if (!root.requiresGrad()) {
                throw new IllegalStateException(
                        "tensor %d requires no gradient and has no gradient function. Gradients, and results computed from them, have none: double backward is not supported"
                                .formatted(i));
            }
            seeds[i] = gradients.isEmpty() ? implicit(root) : checked(root, gradients.get(i), i);
        }
        return seeds;
    }

    private static Tensor implicit(Tensor root) {
        if (root.numel() != 1) {
            throw new IllegalStateException(
                    "grad can be implicitly created only for scalar outputs; this one has shape %s, so pass backward its gradient"
                            .formatted(Arrays.toString(TensorAccess.dims(root))));
        }
        return Tensor.onesLike(root);
    }

    private static Tensor checked(Tensor root, Tensor gradient, int index) {
        if (!Arrays.equals(TensorAccess.dims(root), TensorAccess.dims(gradient))) {
            throw new IllegalArgumentException(
                    "gradient %d has shape %s, but tensor %d has shape %s; they must have the same shape"
                            .formatted(
                                    index,
                                    Arrays.toString(TensorAccess.dims(gradient)),
                                    index,
                                    Arrays.toString(TensorAccess.dims(root))));
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
        if (!variable.requiresGrad()) {
            return; // it was set after the graph was built
        }
        synchronized (AccumulateGrad.of(variable)) { // two passes may end in one leaf
            Tensor before = variable.grad();
            variable.grad(
                    before == null
                            ? writable(gradient, exclusive)
                            : addTo(before, gradient, exclusive));
        }
    }

    /** Accumulate a copy of the gradient of a result. */
    static void retain(Tensor result, Tensor gradient) {
        synchronized (result) { // two passes may see it
            Tensor before = result.grad();
            result.grad(
                    before == null
                            ? GradientArithmetic.copy(gradient)
                            : GradientArithmetic.add(before, gradient));
        }
    }

    /**
     * Return a gradient fitted to its edge: summed over broadcast dimensions, of the type and on
     * the device of the input. The gradient of a dense tensor may be sparse, unless it was
     * broadcast.
     */
    static Tensor fit(Tensor gradient, Edge edge, Node source, int index) {
        Device wanted = edge.node().inputDevice(edge.inputIndex());
        if (gradient.device().isCpu() && wanted.isCpu()) {
            return fitted(gradient, edge, source, index);
        }
        Tensor fitted =
                CurrentDevice.on(gradient.device(), () -> fitted(gradient, edge, source, index));
        return DevicePlacement.copy(fitted, wanted);
    }

    private static Tensor fitted(Tensor gradient, Edge edge, Node source, int index) {
        int[] wanted = edge.node().inputShape(edge.inputIndex());
        DType dtype = edge.node().inputDtype(edge.inputIndex());
        boolean sparse = edge.node().inputSparse(edge.inputIndex());
        if (!gradient.dtype().isFloating()) {
            throw new IllegalStateException(
                    "Function %s returned an invalid gradient at index %d - expected type %s but got %s"
                            .formatted(source.name(), index, dtype, gradient.dtype()));
        }
        if (sparse && !gradient.isSparse()) {
            throw new IllegalStateException(
                    "Function %s returned an invalid gradient at index %d - expected layout %s but got %s"
                            .formatted(
                                    source.name(),
                                    index,
                                    DTypeAccess.title(Layout.SPARSE_COO),
                                    DTypeAccess.title(gradient.layout())));
        }
        if (Arrays.equals(TensorAccess.dims(gradient), wanted)) {
            return gradient.dtype() == dtype ? gradient : GradientArithmetic.cast(gradient, dtype);
        }
        if (sparse || !broadcasts(wanted, TensorAccess.dims(gradient))) {
            throw new IllegalStateException(
                    "Function %s returned an invalid gradient at index %d - got %s but expected shape compatible with %s"
                            .formatted(
                                    source.name(),
                                    index,
                                    Arrays.toString(TensorAccess.dims(gradient)),
                                    Arrays.toString(wanted)));
        }
        Tensor dense = SparseTensors.densified(gradient);
        Tensor wide = GradientArithmetic.cast(dense, DTypeAccess.opmath(dense.dtype()));
        Tensor summed = ReductionRules.sumTo(wide, wanted);
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
