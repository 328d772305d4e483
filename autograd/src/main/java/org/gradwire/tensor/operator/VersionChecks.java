package org.gradwire.tensor.operator;

import org.gradwire.autograd.Node;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import java.util.Arrays;

/** Errors of saved tensors that were changed in place or freed. */
public final class VersionChecks {

    private VersionChecks() {}

    /** Check that a saved tensor was not changed, through any view of its memory. */
    public static void check(Tensor tensor, int expected, String needer) {
        int version = TensorAccess.storage(tensor).version();
        if (version != expected) {
            throw new IllegalStateException(
                    "one of the tensors needed for gradient computation was changed in place: the %s tensor %s%s is at version %d; expected version %d instead. Hint: %s needs it; change a copy() of it, or enable anomaly detection (AnomalyMode.detect()) to find the operation that failed to compute its gradient"
                            .formatted(
                                    tensor.dtype(),
                                    Arrays.toString(TensorAccess.dims(tensor)),
                                    origin(tensor),
                                    version,
                                    expected,
                                    needer));
        }
    }

    private static String origin(Tensor tensor) {
        Node made = tensor.gradFn();
        return made == null
                ? ""
                : ", which is output %d of %s,".formatted(tensor.outputIndex(), made.name());
    }

    /** {@return the error for freed tensors} */
    public static IllegalStateException freed(String needer) {
        return new IllegalStateException(
                "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call backward() or Gradients.grad(); %s needs them. Call backward(true) the first time to retain the graph if you need to backward through it a second time or to access saved tensors afterwards"
                        .formatted(needer));
    }
}
