package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.Comparison;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Magnitude;
import org.gradwire.tensor.kernel.Masks;

/** Forward rules that test elements, and those that choose elements by such tests. */
final class Conditions {

    private Conditions() {}

    /** Compare two tensors, broadcast to one shape and brought to one type. */
    static Tensor compare(Comparison test, Tensor a, Tensor b) {
        DType dtype = Promotion.of(a, b);
        return compare(test, dtype, Elementwise.cast(a, dtype), Elementwise.cast(b, dtype));
    }

    /** Compare each element with a number. */
    static Tensor compare(Comparison test, Tensor a, Number number) {
        DType dtype = a.dtype().promote(number);
        return compare(test, dtype, Elementwise.cast(a, dtype), element(dtype, number));
    }

    private static Tensor compare(Comparison test, DType dtype, Tensor a, Tensor b) {
        int[] shape = Shapes.broadcast(a.dims, b.dims);
        Tensor result = Tensor.fresh(DType.BOOL, shape);
        Masks.compare(dtype.elements(), test, a.strided(shape), b.strided(shape), result.strided());
        return result;
    }

    /** {@return a number as a tensor without dimensions; one that is too large wraps} */
    private static Tensor element(DType dtype, Number number) {
        Tensor element = Tensor.fresh(dtype, new int[0]);
        Loops.fill(dtype.elements(), number, element.strided());
        return element;
    }

    static Tensor test(Magnitude magnitude, Tensor x) {
        Tensor result = Tensor.fresh(DType.BOOL, x.dims);
        Masks.test(x.dtype().elements(), magnitude, x.strided(), result.strided());
        return result;
    }

    static Tensor not(Tensor x) {
        return compare(Comparison.EQ, x.dtype(), x, element(x.dtype(), 0));
    }

    static Tensor and(Tensor a, Tensor b) {
        return Elementwise.binary(Binary.MUL, truth(a), truth(b));
    }

    static Tensor or(Tensor a, Tensor b) {
        return Elementwise.binary(Binary.ADD, truth(a), truth(b));
    }

    static Tensor xor(Tensor a, Tensor b) {
        return compare(Comparison.NE, truth(a), truth(b));
    }

    private static Tensor truth(Tensor x) {
        return Elementwise.cast(x, DType.BOOL);
    }

    static Tensor any(Tensor x) {
        return Reductions.sumAsIs(truth(x));
    }

    static Tensor any(Tensor x, int dim, boolean keepdim) {
        return Reductions.sumAsIs(truth(x), new int[] {dim}, keepdim);
    }

    static Tensor all(Tensor x) {
        return not(any(not(x)));
    }

    static Tensor all(Tensor x, int dim, boolean keepdim) {
        return not(any(not(x), dim, keepdim));
    }

    /** Choose from two tensors, broadcast to one shape and brought to one type. */
    static Tensor where(Tensor condition, Tensor a, Tensor b) {
        return where(condition, Promotion.of(a, b), a, b);
    }

    static Tensor where(Tensor condition, Tensor a, Number b) {
        DType dtype = a.dtype().promote(b);
        return where(condition, dtype, a, Tensor.scalar(dtype, b));
    }

    static Tensor where(Tensor condition, Number a, Tensor b) {
        DType dtype = b.dtype().promote(a);
        return where(condition, dtype, Tensor.scalar(dtype, a), b);
    }

    static Tensor where(Tensor condition, Number a, Number b) {
        DType dtype = Promotion.of(a, b);
        return where(condition, dtype, Tensor.scalar(dtype, a), Tensor.scalar(dtype, b));
    }

    private static Tensor where(Tensor condition, DType dtype, Tensor a, Tensor b) {
        if (condition.dtype() != DType.BOOL) {
            throw new IllegalArgumentException(
                    "where expected condition to be a boolean tensor, but got a tensor with dtype %s; compare it, or convert it with to(DType.BOOL)"
                            .formatted(condition.dtype().tensorType()));
        }
        return choose(condition, Elementwise.cast(a, dtype), Elementwise.cast(b, dtype));
    }

    private static Tensor choose(Tensor mask, Tensor a, Tensor b) {
        int[] shape = Shapes.broadcast(Shapes.broadcast(a.dims, b.dims), mask.dims);
        Tensor result = Tensor.fresh(a.dtype(), shape);
        Masks.choose(
                a.dtype().elements(),
                mask.strided(shape),
                a.strided(shape),
                b.strided(shape),
                result.strided());
        return result;
    }

    /** {@return the gradient where the mask is as wanted, else zero} */
    static Tensor maskedGradient(Tensor gradient, Tensor mask, boolean wanted) {
        Tensor zero = Tensor.zeros(gradient.dtype());
        return wanted ? choose(mask, gradient, zero) : choose(mask, zero, gradient);
    }

    static Tensor maskedFill(Tensor x, Tensor mask, Number value) {
        checkFillMask(mask);
        return choose(mask, Tensor.scalar(x.dtype(), value), x);
    }

    static Tensor maskedFill(Tensor x, Tensor mask, Tensor value) {
        checkFillMask(mask);
        if (value.dims.length > 0) {
            throw new IllegalArgumentException(
                    "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with %d dimension(s)."
                            .formatted(value.dims.length));
        }
        return choose(mask, Elementwise.cast(value, x.dtype()), x);
    }

    private static void checkFillMask(Tensor mask) {
        if (mask.dtype() != DType.BOOL) {
            throw new IllegalArgumentException(
                    "masked_fill_ only supports boolean masks, but got mask with dtype "
                            + mask.dtype().tensorType());
        }
    }

    static Tensor maskedSelect(Tensor x, Tensor mask) {
        if (mask.dtype() != DType.BOOL) {
            throw new IllegalArgumentException(
                    "masked_select: expected BoolTensor for mask, but got a tensor with dtype "
                            + mask.dtype().tensorType());
        }
        int[] shape = Shapes.broadcast(x.dims, mask.dims);
        Tensor result = Tensor.fresh(x.dtype(), new int[] {Masks.count(mask.strided(shape))});
        Masks.compress(
                x.dtype().elements(), mask.strided(shape), x.strided(shape), result.strided());
        return result;
    }

    static Tensor maskedSelectGradient(Tensor gradient, Tensor mask, int[] input) {
        int[] shape = Shapes.broadcast(input, mask.dims);
        Tensor result = Tensor.fresh(gradient.dtype(), shape);
        Masks.expand(
                gradient.dtype().elements(),
                mask.strided(shape),
                gradient.strided(),
                result.strided());
        return result;
    }

    static Tensor nonzero(Tensor x) {
        Tensor mask = truth(x);
        int[] shape = {Masks.count(mask.strided()), x.dims.length};
        Tensor result = Tensor.fresh(DType.INT64, shape);
        Masks.indices(mask.strided(), x.dims, result.strided());
        return result;
    }
}
