package org.gradwire.tensor.operator;

import org.gradwire.autograd.Edge;
import org.gradwire.autograd.GradMode;
import org.gradwire.autograd.Node;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.AutogradAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.ForwardCall;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Records calls of operators in the backward graph. */
final class GradientRecorder {
    private GradientRecorder() {}

    /** Mark the results that share memory with an operand as its views. */
    static void markViews(Object result, Tensor operand) {
        if (result instanceof Tensor output) {
            if (TensorAccess.storage(output).equals(TensorAccess.storage(operand))) {
                ViewMeta.mark(output, operand, origin());
            }
        } else if (result instanceof List<?> outputs) {
            for (Object output : outputs) {
                ViewMeta.mark((Tensor) output, operand, origin());
            }
        }
    }

    private static ViewMeta.Origin origin() {
        return GradMode.enabled() ? ViewMeta.Origin.OPERATOR : ViewMeta.Origin.NO_GRAD;
    }

    /** Attach a node of the row to the floating-point results. */
    @SuppressWarnings("ReferenceEquality") // arguments on one device are not copied
    static void record(
            OperatorRow row,
            @Nullable Object[] args,
            @Nullable Object[] gathered,
            Object result,
            @Nullable Object extra,
            boolean reduced,
            @Nullable ForwardCall call) {
        @Nullable Tensor[] inputs = row.signature.inputs(args);
        @Nullable Tensor[] used = gathered == args ? inputs : row.signature.inputs(gathered);
        var edges = new @Nullable Edge[inputs.length];
        for (int i = 0; i < inputs.length; i++) {
            Tensor input = inputs[i];
            if (input == result) {
                return; // returned unchanged
            }
            if (input != null && input.requiresGrad()) {
                edges[i] = Edge.of(input);
            }
        }
        if (result instanceof Tensor output) {
            if (output.dtype().isFloating()) {
                var saved = new Saved(row, gathered, used, edges, List.of(output), extra, reduced);
                AutogradAccess.newOpNode(saved, edges, call).attach(output);
            }
        } else if (result instanceof List<?> outputs) {
            List<Tensor> all = outputs.stream().map(Tensor.class::cast).toList();
            var saved = new Saved(row, gathered, used, edges, all, extra, reduced);
            Node node = AutogradAccess.newOpNode(saved, edges, call);
            for (Tensor output : all) {
                if (output.dtype().isFloating()) { // indices have no gradient
                    node.attach(output);
                }
            }
        }
    }
}
