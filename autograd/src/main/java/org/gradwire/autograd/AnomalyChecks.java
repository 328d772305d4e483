package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.storage.ForwardCall;
import org.jspecify.annotations.Nullable;

/** The checks of {@link AnomalyMode} after a node has run. */
final class AnomalyChecks {

    private AnomalyChecks() {}

    /** Return a node's failure, with the forward call that recorded the node if it is known. */
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

    /** Check the outputs of a node for NaN, if requested. */
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

    /** A sum that is not NaN has no NaN term; one that is NaN may result from infinities. */
    private static <A> boolean hasNan(Tensor tensor) {
        if (!tensor.dtype().isFloating() || !Double.isNaN(tensor.detach().sum().item())) {
            return false;
        }
        Elements<A> elements = DTypeAccess.elements(tensor.dtype());
        A array = StridedLoops.toArray(elements, TensorAccess.strided(tensor));
        for (int i = 0; i < tensor.numel(); i++) {
            if (Double.isNaN(elements.getDouble(array, i))) {
                return true;
            }
        }
        return false;
    }
}
