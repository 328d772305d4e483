package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.VersionChecks;
import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state that one application of an {@link AutogradFunction} passes from its forward rule to its
 * backward rule. The counterpart of {@code ctx} in PyTorch.
 *
 * <p><b>Threads.</b> The forward rule has it alone; afterwards any number of backward passes may
 * read it at a time.
 */
public final class FunctionContext {
    private final Kept kept;
    private final boolean @Nullable [] arrived;

    /** The state shared by all backward passes; written by the forward rule only. */
    private static final class Kept {
        final String name;
        final boolean[] needed;
        final Map<String, Object> values = new HashMap<>();
        final Set<Tensor> nonDifferentiable = Collections.newSetFromMap(new IdentityHashMap<>());
        volatile List<Tensor> tensors = List.of();
        int[] versions = {};
        boolean materialize = true;
        boolean sealed;
        volatile boolean freed;

        Kept(String name, boolean[] needed) {
            this.name = name;
            this.needed = needed;
        }
    }

    private FunctionContext(Kept kept, boolean @Nullable [] arrived) {
        this.kept = kept;
        this.arrived = arrived;
    }

    /** Create the context of a forward rule. */
    static FunctionContext forForward(String name, boolean[] needed) {
        return new FunctionContext(new Kept(name, needed), null);
    }

    /** {@return the view of this for one run of the backward rule} */
    FunctionContext forBackward(boolean[] gradientsThatCame) {
        return new FunctionContext(kept, gradientsThatCame);
    }

    // ---- For the forward rule.

    /**
     * Keep inputs or results for the backward rule, which finds them in {@link #savedTensors}. They
     * are freed after a pass that does not retain the graph; changing one in place before it was
     * used makes the pass fail. The last call counts.
     */
    public void saveForBackward(Tensor... tensors) {
        checkForward("saveForBackward");
        kept.tensors = List.of(tensors);
    }

    /**
     * Keep a value that is not a tensor for the backward rule, which finds it with {@link #get}.
     */
    public void put(String name, Object value) {
        checkForward("put");
        kept.values.put(name, value);
    }

    /**
     * Declare results through which no gradient flows. Integer results are so anyway.
     *
     * @param results tensors that the forward rule returns
     */
    public void markNonDifferentiable(Tensor... results) {
        checkForward("markNonDifferentiable");
        Collections.addAll(kept.nonDifferentiable, results);
    }

    /**
     * Set whether the backward rule receives zeros in full size for results without a gradient, as
     * it does by default. Otherwise it receives a single zero expanded to the shape, which takes no
     * memory; see {@link #hasGradient}.
     */
    public void setMaterializeGrads(boolean wanted) {
        checkForward("setMaterializeGrads");
        kept.materialize = wanted;
    }

    private void checkForward(String method) {
        if (kept.sealed) {
            throw new IllegalStateException(
                    "%s of %s was called after forward; only the forward rule may"
                            .formatted(method, kept.name));
        }
    }

    // ---- For both rules.

    /** {@return whether the gradient of an input is wanted; others need not be computed} */
    public boolean needsInputGrad(int input) {
        return kept.needed[input];
    }

    /** {@return the number of inputs of the function} */
    public int inputs() {
        return kept.needed.length;
    }

    // ---- For the backward rule.

    /**
     * {@return the tensors that {@link #saveForBackward} kept}
     *
     * @throws IllegalStateException when they were freed, or one was changed in place
     */
    public List<Tensor> savedTensors() {
        checkBackward("savedTensors");
        List<Tensor> tensors = kept.tensors;
        if (kept.freed) {
            throw VersionChecks.freed(kept.name);
        }
        for (int i = 0; i < tensors.size(); i++) {
            VersionChecks.check(tensors.get(i), kept.versions[i], kept.name);
        }
        return tensors;
    }

    /** {@return one of {@link #savedTensors}} */
    public Tensor saved(int index) {
        return savedTensors().get(index);
    }

    /**
     * {@return a value stored by {@link #put}}
     *
     * @throws IllegalArgumentException when there is none of this name and type
     */
    public <T> T get(String name, Class<T> type) {
        Object value = kept.values.get(name);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    "%s has %s under the name '%s', expected a %s; put it there in the forward rule"
                            .formatted(
                                    kept.name,
                                    value == null
                                            ? "nothing"
                                            : "a " + value.getClass().getSimpleName(),
                                    name,
                                    type.getSimpleName()));
        }
        return type.cast(value);
    }

    /** {@return whether a result has a gradient; if not, the backward rule receives zeros} */
    public boolean hasGradient(int result) {
        checkBackward("hasGradient");
        return arrived != null && arrived[result];
    }

    private void checkBackward(String method) {
        if (arrived == null) {
            throw new IllegalStateException(
                    "%s of %s was called in forward; only the backward rule may"
                            .formatted(method, kept.name));
        }
    }

    // ---- For the node.

    boolean isDifferentiable(Tensor result) {
        return result.dtype().isFloating() && !kept.nonDifferentiable.contains(result);
    }

    boolean materializesGrads() {
        return kept.materialize;
    }

    String name() {
        return kept.name;
    }

    /** End the forward rule: saved tensors must not change afterwards. */
    void seal() {
        List<Tensor> tensors = kept.tensors;
        kept.versions = tensors.stream().mapToInt(t -> TensorAccess.storage(t).version()).toArray();
        tensors.forEach(tensor -> TensorAccess.storage(tensor).share());
        kept.nonDifferentiable.clear();
        kept.sealed = true;
    }

    /** Release the saved tensors. */
    void free() {
        if (!kept.tensors.isEmpty()) {
            kept.freed = true;
            kept.tensors = List.of();
        }
    }
}
