package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Loops;
import org.jspecify.annotations.Nullable;

/** What {@link AnomalyMode} looks for when a node has run. */
final class Anomalies {

    private Anomalies() {}

    /** Return a failure of a node with the place that recorded it, when that is known. */
    static RuntimeException explained(Node node, RuntimeException failure) {
        ForwardCall call = node.forwardCall();
        boolean told =
                call == null
                        || (failure instanceof AnomalyException known && known.names(node, call));
        return told
                ? failure
                : new AnomalyException(
                        node,
                        "Function '%s' failed: %s.".formatted(node.name(), failure.getMessage()),
                        call,
                        failure);
    }

    /** Check what a node gave, if that is wanted. */
    static void check(Node node, @Nullable Tensor[] outputs, boolean wanted) {
        ForwardCall call = node.forwardCall();
        if (!wanted && (call == null || !call.checkNan())) {
            return;
        }
        for (int i = 0; i < outputs.length; i++) {
            Tensor output = outputs[i];
            if (output != null && hasNan(output.isSparse() ? output.heldValues() : output)) {
                throw new AnomalyException(
                        node,
                        "Function '%s' returned nan values in its %dth output."
                                .formatted(node.name(), i),
                        call,
                        null);
            }
        }
    }

    /** A sum without NaN has no NaN among its terms; one that is NaN may come of infinities. */
    private static <A> boolean hasNan(Tensor tensor) {
        if (!tensor.dtype().isFloating() || !Double.isNaN(tensor.detach().sum().item())) {
            return false;
        }
        Elements<A> elements = tensor.dtype().elements();
        A array = Loops.toArray(elements, tensor.strided());
        for (int i = 0; i < tensor.numel(); i++) {
            if (Double.isNaN(elements.getDouble(array, i))) {
                return true;
            }
        }
        return false;
    }
}
