package org.gradwire.tensor;

import org.gradwire.spi.ElementKind;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Kernels;

/** The type of a tensor's elements. */
public enum DType {
    /** 32-bit floating point, {@code float} in Java: the default. */
    FLOAT32("float32", "Float", true, ElementKind.FLOAT, Kernels.installed().floats()),
    /** 64-bit floating point, {@code double} in Java. */
    FLOAT64("float64", "Double", true, ElementKind.DOUBLE, Kernels.installed().doubles()),
    /** 64-bit integer, {@code long} in Java. */
    INT64("int64", "Long", false, ElementKind.LONG, Kernels.installed().longs());

    private final String text;
    private final String tensorType;
    private final boolean floating;
    private final ElementKind kind;

    @SuppressWarnings("ImmutableEnumChecker") // kernels have no state
    private final Elements<?> elements;

    DType(
            String text,
            String tensorType,
            boolean floating,
            ElementKind kind,
            Elements<?> elements) {
        this.text = text;
        this.tensorType = tensorType;
        this.floating = floating;
        this.kind = kind;
        this.elements = elements;
    }

    /** {@return whether it holds fractions; only such tensors can require gradients} */
    public boolean isFloating() {
        return floating;
    }

    /** {@return the size of one element} */
    public int bytes() {
        return kind.bytes();
    }

    /** {@return what a message calls a buffer of such elements} */
    public ElementKind kind() {
        return kind;
    }

    /** Return the type that results from combining two: the wider, and floating before integer. */
    public DType promote(DType other) {
        if (this == other) {
            return this;
        }
        if (floating != other.floating) {
            return floating ? this : other;
        }
        return bytes() >= other.bytes() ? this : other;
    }

    /** Return the type that results from combining a tensor of this type with a Java number. */
    DType promote(Number scalar) {
        boolean fraction = scalar instanceof Double || scalar instanceof Float;
        return fraction && !floating ? FLOAT32 : this;
    }

    /** {@return this type, or float32 when this one has no fractions} */
    DType orFloating() {
        return floating ? this : FLOAT32;
    }

    /** {@return PyTorch's name of such tensors in messages: {@code Float}, {@code Long}} */
    String tensorType() {
        return tensorType;
    }

    /** {@return the kernels, for the arrays of this type; the caller pairs the two} */
    @SuppressWarnings("unchecked")
    <A> Elements<A> elements() {
        return (Elements<A>) elements;
    }

    /** {@return the name in PyTorch and NumPy: {@code float32}} */
    @Override
    public String toString() {
        return text;
    }
}
