package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * Gradients as functions: of some tensors with respect to others, without or with {@link
 * Tensor#grad}; and what is common to local and distributed passes.
 *
 * <p>Gradients are not recorded. {@code create_graph}, and with it the gradient of a gradient, is
 * not offered: a backward pass from what was computed of gradients is refused.
 */
public final class Gradients {

    private Gradients() {}

    /**
     * Return a gradient as one that may be stored and written to: itself when nobody else can see
     * its memory and it is contiguous, else a copy. Of a sparse one it is the values that nobody
     * else may see, and a new tensor holds them. It outlives the {@link TensorScope} it was made
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
        boolean kept = exclusive && AnyLayout.isContiguous(gradient);
        return AnyLayout.shallow(kept ? gradient : AnyLayout.copy(gradient));
    }

    /**
     * Return the sum of a gradient that is owned and another one: the first, changed in place,
     * unless it is sparse and the other one is not.
     *
     * @param owned from {@link #own}
     * @param exclusive as {@link GraphTask.Accumulator} gives it; if so, the memory of the other
     *     one may be given back
     */
    public static Tensor addTo(Tensor owned, Tensor gradient, boolean exclusive) {
        Tensor sum = sum(owned, gradient);
        if (exclusive && !owned.storage().shares(gradient.storage())) {
            gradient.storage().giveBack();
        }
        return sum;
    }

    private static Tensor sum(Tensor owned, Tensor gradient) {
        if (owned.isSparse() && !gradient.isSparse()) {
            return own(AnyLayout.add(owned, gradient), true);
        }
        AnyLayout.addInPlace(owned, gradient, 1);
        if (owned.isSparse()) {
            owned.storage().escape(); // it holds what this pass made
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
     * touching any {@link Tensor#grad}. Only what lies between them is computed. Hooks of tensors
     * on the way run, those of the inputs too. The counterpart of {@code torch.autograd.grad}.
     *
     * <p>The gradients are plain tensors: there is no {@code createGraph}, and what is computed
     * from them has no gradient.
     *
     * @param outputs whose weighted sum is differentiated
     * @param inputs with respect to which
     * @param gradOutputs the gradient of each output; empty when all outputs are scalars, for ones
     * @param retainGraph whether what the graph keeps is kept for another pass
     * @return one for each input, of its shape and type; nobody else sees their memory
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
        var targets = new Targets();
        for (int i = 0; i < found.length; i++) {
            int index = i;
            targets.capture(
                    differentiable(inputs.get(i)),
                    (gradient, exclusive) -> found[index] = writable(gradient, exclusive));
        }
        run(outputs, gradOutputs, retainGraph, targets);
        return Arrays.stream(found).map(Optional::ofNullable).toList();
    }

    /**
     * Compute the gradients of all leaves that some tensors were made from, and add them to their
     * {@link Tensor#grad}. The counterpart of {@code torch.autograd.backward}.
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
        var targets = new Targets();
        for (Tensor input : Set.copyOf(inputs)) {
            if (differentiable(input).isLeaf()) {
                targets.accumulate(input);
            } else if (input.retainsGrad()) {
                targets.capture(input, (_, _) -> {}); // the hooks do it
            } else {
                targets.capture(input, (gradient, _) -> retain(input, gradient));
            }
        }
        run(roots, gradients, retainGraph, targets);
    }

    private static Tensor differentiable(Tensor input) {
        if (!input.requiresGrad()) {
            throw new IllegalStateException(
                    "One of the differentiated Tensors does not require grad: " + input.describe());
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
            @Nullable Targets targets) {
        Tensor[] seeds = seeds(roots, gradients);
        var start = new GraphRoot(roots);
        var task = new GraphTask(List.of(start), retainGraph, Gradients::accumulate, targets);
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
                        "element %d of tensors does not require grad and does not have a grad_fn. Gradients, and what is computed from them, have none: double backward (create_graph) is not supported"
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
                            .formatted(Arrays.toString(root.dims)));
        }
        return Tensor.onesLike(root);
    }

    private static Tensor checked(Tensor root, Tensor gradient, int index) {
        if (!Arrays.equals(root.dims, gradient.dims)) {
            throw new IllegalArgumentException(
                    "Mismatch in shape: grad_output[%d] has a shape of %s and output[%d] has a shape of %s."
                            .formatted(
                                    index,
                                    Arrays.toString(gradient.dims),
                                    index,
                                    Arrays.toString(root.dims)));
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
            return; // it was told so after the graph was made
        }
        synchronized (AccumulateGrad.of(variable)) { // two passes may end in one leaf
            Tensor before = variable.grad();
            variable.grad(
                    before == null
                            ? writable(gradient, exclusive)
                            : addTo(before, gradient, exclusive));
        }
    }

    /** Add a copy of the gradient of a result to what the result has. */
    static void retain(Tensor result, Tensor gradient) {
        synchronized (result) { // two passes may see it
            Tensor before = result.grad();
            result.grad(
                    before == null ? AnyLayout.copy(gradient) : AnyLayout.add(before, gradient));
        }
    }

    /**
     * Return a gradient as the edge wants it: summed over what was broadcast, and of the type and
     * on the device of its input. That of a dense tensor may be sparse, unless it was broadcast.
     */
    static Tensor fit(Tensor gradient, Edge edge, Node source, int index) {
        Device wanted = edge.node().inputDevice(edge.inputIndex());
        if (gradient.device().isCpu() && wanted.isCpu()) {
            return fitted(gradient, edge, source, index);
        }
        Tensor fitted = Devices.on(gradient.device(), () -> fitted(gradient, edge, source, index));
        return Devices.copy(fitted, wanted);
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
                                    Layout.SPARSE_COO.title(),
                                    gradient.layout().title()));
        }
        if (Arrays.equals(gradient.dims, wanted)) {
            return gradient.dtype() == dtype ? gradient : AnyLayout.cast(gradient, dtype);
        }
        if (sparse || !broadcasts(wanted, gradient.dims)) {
            throw new IllegalStateException(
                    "Function %s returned an invalid gradient at index %d - got %s but expected shape compatible with %s"
                            .formatted(
                                    source.name(),
                                    index,
                                    Arrays.toString(gradient.dims),
                                    Arrays.toString(wanted)));
        }
        Tensor wide = ReducedPrecision.widened(SparseTensors.densified(gradient));
        Tensor summed = Reductions.sumTo(wide, wanted);
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
