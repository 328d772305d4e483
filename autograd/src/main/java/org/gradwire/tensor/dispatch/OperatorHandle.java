package org.gradwire.tensor.dispatch;

import org.jspecify.annotations.Nullable;

/** An operator that was found by name. */
@FunctionalInterface
public interface OperatorHandle {
    /**
     * Compute, with arguments of the operator's types, which are not checked.
     *
     * @return a tensor or a list of tensors, as the operator declares
     */
    Object call(@Nullable Object... args);
}
