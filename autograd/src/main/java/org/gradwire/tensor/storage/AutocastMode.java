package org.gradwire.tensor.storage;

import org.gradwire.spi.device.ElementType;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/** An open scope of automatic mixed precision. Confined to its thread. */
public final class AutocastMode {
    private final ElementType type;
    private final Map<Object, Object> copies = new HashMap<>();

    /**
     * Open a scope.
     *
     * @param type of products: float16 or bfloat16
     */
    public AutocastMode(ElementType type) {
        this.type = type;
    }

    /** {@return the type of products: float16 or bfloat16} */
    public ElementType type() {
        return type;
    }

    /** {@return the copy that was kept for a parameter} */
    public @Nullable Object copyOf(Object parameter) {
        return copies.get(parameter);
    }

    /** Keep a copy of a parameter for its other uses in this scope. */
    public void keep(Object parameter, Object copy) {
        copies.put(parameter, copy);
    }
}
