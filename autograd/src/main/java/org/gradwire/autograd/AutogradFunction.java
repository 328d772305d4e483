package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.ViewMeta;
import org.gradwire.tensor.storage.ForwardCall;
import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * A custom differentiable function: a forward rule, and a backward rule that computes the gradients
 * of its inputs. The counterpart of {@code torch.autograd.Function}.
 *
 * {@snippet :
 * final class Cube extends AutogradFunction {
 *     @Override
 *     protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
 *         context.saveForBackward(inputs[0]);
 *         return new Tensor[] {inputs[0].pow(3)};
 *     }
 *
 *     @Override
 *     protected @Nullable Tensor[] backward(FunctionContext context, Tensor... gradients) {
 *         Tensor x = context.saved(0);
 *         return new Tensor[] {gradients[0].mul(x.mul(x).mul(3))};
 *     }
 * }
 *
 * Tensor y = new Cube().apply(x);
 * }
 *
 * <p>Arguments that are not tensors are best given to the constructor. Results are recorded like
 * those of any operator, also when a remote function computes them; then backward runs on the
 * worker that ran forward.
 *
 * <p>Neither rule is recorded, so there are no gradients of gradients. The forward rule must not
 * change an input that requires a gradient, since its backward rule could not detect that; there is
 * no {@code mark_dirty}.
 *
 * <p><b>Threads.</b> One function may be applied by several threads at a time, and its backward
 * rule be run by several passes, if its own fields allow that; what belongs to one application is
 * in its {@link FunctionContext}.
 */
public abstract class AutogradFunction {

    /** For subclasses. */
    protected AutogradFunction() {}

    /**
     * Compute the results. Recording is off.
     *
     * @param inputs the arguments of the function
     * @return at least one tensor. One that is an input, or was returned before, is replaced by a
     *     view of it
     */
    protected abstract Tensor[] forward(FunctionContext context, Tensor... inputs);

    /**
     * Compute the gradients of the inputs. Recording is off. The gradients given must not be
     * changed; they may be returned. They, and the returned tensors, belong to the pass: keep a
     * copy, not the tensor.
     *
     * @param context has what {@link #forward} saved
     * @param gradients one for each result; zeros where none came, see {@link
     *     FunctionContext#setMaterializeGrads}
     * @return one for each input; null for zero and for inputs whose gradient is not {@linkplain
     *     FunctionContext#needsInputGrad wanted}
     */
    protected abstract @Nullable Tensor[] backward(FunctionContext context, Tensor... gradients);

    /** {@return the name of the nodes of this function; by default the class's, with "Backward"} */
    protected String name() {
        Class<?> type = getClass();
        String simple = type.getSimpleName();
        return (simple.isEmpty()
                        ? type.getName().substring(type.getName().lastIndexOf('.') + 1)
                        : simple)
                + "Backward";
    }

    /**
     * Apply a function that has one result.
     *
     * @throws IllegalStateException as {@link #applyAll}, or when it has several
     */
    public final Tensor apply(Tensor... inputs) {
        List<Tensor> results = applyAll(inputs);
        if (results.size() != 1) {
            throw new IllegalStateException(
                    "function %s returned %d results; get them with applyAll"
                            .formatted(name(), results.size()));
        }
        return results.getFirst();
    }

    /**
     * Apply the function, and record it if an input requires a gradient.
     *
     * @return its results
     * @throws IllegalStateException when the forward rule returns nothing, or changed an input that
     *     requires a gradient
     */
    public final List<Tensor> applyAll(Tensor... inputs) {
        var needed = new boolean[inputs.length];
        boolean any = false;
        for (int i = 0; i < inputs.length; i++) {
            needed[i] = inputs[i].requiresGrad();
            any |= needed[i];
        }
        ThreadState state = ThreadState.current();
        FunctionContext context = FunctionContext.forForward(name(), needed);
        Tensor[] results = computed(context, inputs, state.gradEnabled);
        Tensor[] outputs = fresh(results, inputs);
        if (any && state.gradEnabled) {
            record(context, inputs, results, outputs, ForwardCall.current(state));
        }
        return List.of(outputs);
    }

    private void record(
            FunctionContext context,
            Tensor[] inputs,
            Tensor[] results,
            Tensor[] outputs,
            @Nullable ForwardCall call) {
        var edges = new @Nullable Edge[inputs.length];
        for (int i = 0; i < inputs.length; i++) {
            edges[i] = inputs[i].requiresGrad() ? Edge.of(inputs[i]) : null;
        }
        var node = new FunctionNode(this, context, edges, call);
        for (int i = 0; i < outputs.length; i++) {
            if (context.isDifferentiable(results[i])) {
                node.attach(outputs[i]);
            } else {
                node.addInput(outputs[i]);
            }
        }
        context.seal();
    }

    private Tensor[] computed(FunctionContext context, Tensor[] inputs, boolean recording) {
        var versions = new int[inputs.length];
        for (int i = 0; i < inputs.length; i++) {
            versions[i] = TensorAccess.storage(inputs[i]).version();
        }
        Tensor[] results;
        try (var _ = GradMode.noGrad()) {
            results = forward(context, inputs.clone());
        }
        if (results == null || results.length == 0) {
            throw new IllegalStateException(
                    "forward of %s returned no results; return at least one tensor"
                            .formatted(context.name()));
        }
        for (int i = 0; i < inputs.length && recording; i++) {
            if (inputs[i].requiresGrad()
                    && TensorAccess.storage(inputs[i]).version() != versions[i]) {
                throw new IllegalStateException(
                        "forward of %s changed its input %d in place, which requires grad; the function's backward rule does not know of that, so change a copy() of it"
                                .formatted(context.name(), i));
            }
        }
        return results;
    }

    /** Return the results, with views of those that have a history, or are used, already. */
    private static Tensor[] fresh(Tensor[] results, Tensor[] inputs) {
        Set<Tensor> known = Collections.newSetFromMap(new IdentityHashMap<>());
        Collections.addAll(known, inputs);
        var outputs = new Tensor[results.length];
        for (int i = 0; i < results.length; i++) {
            boolean taken = !known.add(results[i]) || results[i].requiresGrad();
            outputs[i] = taken ? results[i].detach() : results[i];
            TensorAccess.viewOf(outputs[i], null); // may share memory with no other tensor
            ViewMeta.markShared(outputs[i], inputs);
            ViewMeta.markShared(outputs[i], Arrays.copyOf(outputs, i));
        }
        return outputs;
    }
}
