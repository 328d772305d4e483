package org.gradwire.tensor.dispatch;

import org.jspecify.annotations.Nullable;

/** Finds the operators of tensors by name; a service within this module. */
public interface OperatorLibrary {
    /**
     * {@return the operator with a name, such as {@code aten::add.Tensor}; null if there is none}
     */
    @Nullable OperatorHandle find(String name);
}
