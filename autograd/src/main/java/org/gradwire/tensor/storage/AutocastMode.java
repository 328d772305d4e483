package org.gradwire.tensor.storage;

import org.gradwire.spi.device.ElementType;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** An open scope of automatic mixed precision. Confined to its thread. */
public final class AutocastMode {
    private final ElementType type;
    private final Map<Object, Copy> copies = new HashMap<>();

    private record Copy(Object tensor, int version) {}

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

    /**
     * {@return the copy of a parameter in the type of products, made once for all its uses}
     *
     * @param version of the parameter's memory
     */
    @SuppressWarnings("unchecked") // the copy of a tensor is one
    public <T> T copy(T parameter, int version, Supplier<T> make) {
        Copy known = copies.get(parameter);
        if (known == null || known.version != version) {
            known = new Copy(make.get(), version);
            copies.put(parameter, known);
        }
        return (T) known.tensor;
    }
}
