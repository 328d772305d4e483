package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.rule.ViewRules;
import org.gradwire.tensor.storage.ForwardCall;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** The node of one application of an {@link AutogradFunction}. */
final class FunctionNode extends Node {
    private final AutogradFunction function;
    private final FunctionContext context;

    FunctionNode(
            AutogradFunction function,
            FunctionContext context,
            @Nullable Edge[] edges,
            @Nullable ForwardCall call) {
        super(edges, call);
        this.function = function;
        this.context = context;
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        var arrived = new boolean[inputs()];
        var all = new Tensor[inputs()];
        for (int i = 0; i < all.length; i++) {
            Tensor gradient = i < gradients.length ? gradients[i] : null;
            arrived[i] = gradient != null;
            all[i] = gradient == null ? absent(i) : gradient;
        }
        return trimmed(function.backward(context.forBackward(arrived), all));
    }

    private Tensor absent(int index) {
        return context.materializesGrads() || inputSparse(index)
                ? zeroGradient(index)
                : ViewRules.expand(Tensor.zeros(inputDtype(index)), inputShape(index));
    }

    /** As in PyTorch, there may be nulls behind the gradients of the inputs. */
    private @Nullable Tensor[] trimmed(@Nullable Tensor @Nullable [] results) {
        if (results == null) {
            throw new IllegalStateException(
                    "function %s returned null; return an array with one gradient for each input, or null in it"
                            .formatted(name()));
        }
        int count = results.length;
        while (count > edges.length && results[count - 1] == null) {
            count--;
        }
        return count == results.length ? results : Arrays.copyOf(results, count);
    }

    @Override
    protected void releaseSaved() {
        context.free();
    }
}
