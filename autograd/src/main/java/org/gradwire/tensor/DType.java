package org.gradwire.tensor;

import org.gradwire.rpc.WireValue;
import org.gradwire.spi.ElementKind;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.kernel.Kernels;
import org.gradwire.tensor.kernel.element.Elements;

import java.math.BigDecimal;

/** The type of a tensor's elements. */
@WireValue
public enum DType {
    /** 32-bit floating point, {@code float} in Java: the default. */
    FLOAT32("float32", "Float", Category.FLOATING, ElementKind.FLOAT, Kernels.installed().floats()),
    /** 64-bit floating point, {@code double} in Java. */
    FLOAT64(
            "float64",
            "Double",
            Category.FLOATING,
            ElementKind.DOUBLE,
            Kernels.installed().doubles()),
    /** 32-bit integer, {@code int} in Java. */
    INT32("int32", "Int", Category.INTEGRAL, ElementKind.INT, Kernels.installed().ints()),
    /** 64-bit integer, {@code long} in Java. */
    INT64("int64", "Long", Category.INTEGRAL, ElementKind.LONG, Kernels.installed().longs()),
    /** True or false, {@code boolean} in Java; in memory a byte that is 1 or 0. */
    BOOL("bool", "Bool", Category.BOOL, ElementKind.BYTE, Kernels.installed().bools()),
    /**
     * 16-bit floating point with 11 significant bits, up to 65504 (IEEE 754 binary16); the bits as
     * a {@code short} in Java. Operators compute in float32 and round their results once.
     */
    FLOAT16(
            "float16",
            "Half",
            Category.FLOATING,
            ElementKind.SHORT,
            Kernels.installed().float16s()),
    /**
     * 16-bit floating point with 8 significant bits and the range of float32; the bits as a {@code
     * short} in Java. Operators compute in float32 and round their results once.
     */
    BFLOAT16(
            "bfloat16",
            "BFloat16",
            Category.FLOATING,
            ElementKind.SHORT,
            Kernels.installed().bfloat16s());

    static {
        DTypeAccess.install(new DTypeMembers());
    }

    private final String text;
    private final String tensorType;
    private final Category category;
    private final ElementKind kind;

    @SuppressWarnings("ImmutableEnumChecker") // kernels have no state
    private final Elements<?> elements;

    /** Category of types; each category holds the values of the ones before it. */
    private enum Category {
        BOOL,
        INTEGRAL,
        FLOATING
    }

    DType(
            String text,
            String tensorType,
            Category category,
            ElementKind kind,
            Elements<?> elements) {
        this.text = text;
        this.tensorType = tensorType;
        this.category = category;
        this.kind = kind;
        this.elements = elements;
    }

    /** {@return whether it is a floating-point type; only such tensors can require gradients} */
    public boolean isFloating() {
        return category == Category.FLOATING;
    }

    /** {@return whether it is float16 or bfloat16} */
    boolean isReduced() {
        return kind == ElementKind.SHORT;
    }

    /** {@return the type that operators compute in: float32 for float16 and bfloat16} */
    DType opmath() {
        return isReduced() ? FLOAT32 : this;
    }

    /** {@return a number rounded to this floating-point type} */
    <A> double nearest(Number number) {
        Elements<A> all = elements();
        A one = all.array(1);
        all.set(one, 0, number);
        return all.getDouble(one, 0);
    }

    /** {@return the size of one element} */
    public int bytes() {
        return kind.bytes();
    }

    /** {@return the element kind of buffers of this type in messages} */
    public ElementKind kind() {
        return kind;
    }

    /**
     * Return the promoted type of two types: that of the later of the categories bool, integral and
     * floating, the wider of two of the same, float32 for float16 and bfloat16. PyTorch's {@code
     * promote_types}.
     *
     * <p>The result type of an operator also depends on which operands have dimensions: one that
     * has none counts only where its category is the later one.
     */
    public DType promote(DType other) {
        if (category != other.category) {
            return over(other);
        }
        if (isReduced() && other.isReduced() && this != other) {
            return FLOAT32; // neither holds the other
        }
        return bytes() >= other.bytes() ? this : other;
    }

    /**
     * Return the type that results from combining a tensor of this type with a Java number. A
     * number counts as int64, or float32 when it may have a fraction, and only where its category
     * is the later one.
     */
    DType promote(Number scalar) {
        return over(of(scalar));
    }

    /** {@return this type, unless another, which counts less, is of a later category} */
    DType over(DType lesser) {
        return category.compareTo(lesser.category) >= 0 ? this : lesser;
    }

    /** {@return the type of tensors that are made of a Java number} */
    static DType of(Number number) {
        boolean fraction =
                number instanceof Double || number instanceof Float || number instanceof BigDecimal;
        return fraction ? FLOAT32 : INT64;
    }

    /**
     * {@return whether a result of this type may be written into a tensor of another: not where
     * that would lose its category} PyTorch's {@code can_cast}.
     */
    public boolean canCast(DType to) {
        return category.compareTo(to.category) <= 0;
    }

    /** {@return this type, or float32 when this one is not a floating-point type} */
    DType orFloating() {
        return isFloating() ? this : FLOAT32;
    }

    /** {@return the type of a sum: this one if it is a floating-point type, else int64} */
    DType ofSum() {
        return isFloating() ? this : INT64;
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
