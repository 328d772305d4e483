package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.Comparison;
import org.gradwire.tensor.kernel.FloatClassification;
import org.gradwire.tensor.kernel.MaskLoops;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.operator.Promotion;
import org.gradwire.tensor.rule.device.DeviceMasks;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.Shapes;

/** Comparison rules, and selection by conditions. */
public final class ComparisonRules {

    private ComparisonRules() {}

    /** Compare two tensors, broadcast and promoted. */
    public static Tensor compare(Comparison test, Tensor a, Tensor b) {
        DType dtype = Promotion.of(a, b);
        return compare(test, dtype, Elementwise.cast(a, dtype), Elementwise.cast(b, dtype));
    }

    /** Compare each element with a number. */
    public static Tensor compare(Comparison test, Tensor a, Number number) {
        DType dtype = DTypeAccess.promote(a.dtype(), number);
        return compare(test, dtype, Elementwise.cast(a, dtype), element(dtype, number));
    }

    private static Tensor compare(Comparison test, DType dtype, Tensor a, Tensor b) {
        int[] shape = Shapes.broadcast(TensorAccess.dims(a), TensorAccess.dims(b));
        Tensor result = TensorAccess.fresh(DType.BOOL, shape);
        MaskLoops.compare(
                DTypeAccess.elements(dtype),
                test,
                TensorAccess.strided(a, shape),
                TensorAccess.strided(b, shape),
                TensorAccess.strided(result));
        return result;
    }

    /** {@return a number as a tensor on the host, for kernels take such; overflow wraps} */
    private static Tensor element(DType dtype, Number number) {
        return CurrentDevice.on(
                Device.CPU,
                () -> {
                    Tensor element = TensorAccess.fresh(dtype, new int[0]);
                    StridedLoops.fill(
                            DTypeAccess.elements(dtype), number, TensorAccess.strided(element));
                    return element;
                });
    }

    public static Tensor test(FloatClassification floatClassification, Tensor x) {
        Tensor result = TensorAccess.fresh(DType.BOOL, TensorAccess.dims(x));
        MaskLoops.test(
                DTypeAccess.elements(x.dtype()),
                floatClassification,
                TensorAccess.strided(x),
                TensorAccess.strided(result));
        return result;
    }

    public static Tensor not(Tensor x) {
        return compare(Comparison.EQ, x.dtype(), x, element(x.dtype(), 0));
    }

    public static Tensor and(Tensor a, Tensor b) {
        return Elementwise.binary(Binary.MUL, truth(a), truth(b));
    }

    public static Tensor or(Tensor a, Tensor b) {
        return Elementwise.binary(Binary.ADD, truth(a), truth(b));
    }

    public static Tensor xor(Tensor a, Tensor b) {
        return compare(Comparison.NE, truth(a), truth(b));
    }

    private static Tensor truth(Tensor x) {
        return Elementwise.cast(x, DType.BOOL);
    }

    public static Tensor any(Tensor x) {
        return ReductionRules.sumAsIs(truth(x));
    }

    public static Tensor any(Tensor x, int dim, boolean keepdim) {
        return ReductionRules.sumAsIs(truth(x), new int[] {dim}, keepdim);
    }

    public static Tensor all(Tensor x) {
        return not(any(not(x)));
    }

    public static Tensor all(Tensor x, int dim, boolean keepdim) {
        return not(any(not(x), dim, keepdim));
    }

    /** Select from two tensors, broadcast and promoted. */
    public static Tensor where(Tensor condition, Tensor a, Tensor b) {
        return where(condition, Promotion.of(a, b), a, b);
    }

    public static Tensor where(Tensor condition, Tensor a, Number b) {
        DType dtype = DTypeAccess.promote(a.dtype(), b);
        return where(condition, dtype, a, Factories.number(dtype, b));
    }

    public static Tensor where(Tensor condition, Number a, Tensor b) {
        DType dtype = DTypeAccess.promote(b.dtype(), a);
        return where(condition, dtype, Factories.number(dtype, a), b);
    }

    public static Tensor where(Tensor condition, Number a, Number b) {
        DType dtype = Promotion.of(a, b);
        return where(condition, dtype, Factories.number(dtype, a), Factories.number(dtype, b));
    }

    private static Tensor where(Tensor condition, DType dtype, Tensor a, Tensor b) {
        if (condition.dtype() != DType.BOOL) {
            throw new IllegalArgumentException(
                    "where expected condition to be a boolean tensor, but got a tensor with dtype %s; compare it, or convert it with to(DType.BOOL)"
                            .formatted(DTypeAccess.tensorType(condition.dtype())));
        }
        return choose(condition, Elementwise.cast(a, dtype), Elementwise.cast(b, dtype));
    }

    private static Tensor choose(Tensor mask, Tensor a, Tensor b) {
        int[] shape =
                Shapes.broadcast(
                        Shapes.broadcast(TensorAccess.dims(a), TensorAccess.dims(b)),
                        TensorAccess.dims(mask));
        Tensor result = TensorAccess.fresh(a.dtype(), shape);
        MaskLoops.choose(
                DTypeAccess.elements(a.dtype()),
                TensorAccess.strided(mask, shape),
                TensorAccess.strided(a, shape),
                TensorAccess.strided(b, shape),
                TensorAccess.strided(result));
        return result;
    }

    /** {@return the gradient where the mask has the given value, else zero} */
    public static Tensor maskedGradient(Tensor gradient, Tensor mask, boolean wanted) {
        Tensor zero = Factories.number(gradient.dtype(), 0);
        return wanted ? choose(mask, gradient, zero) : choose(mask, zero, gradient);
    }

    public static Tensor maskedFill(Tensor x, Tensor mask, Number value) {
        checkFillMask(mask);
        return choose(mask, Factories.number(x.dtype(), value), x);
    }

    public static Tensor maskedFill(Tensor x, Tensor mask, Tensor value) {
        checkFillMask(mask);
        if (TensorAccess.dims(value).length > 0) {
            throw new IllegalArgumentException(
                    "masked_fill only supports a 0-dimensional value tensor, but got tensor with %d dimension(s)."
                            .formatted(TensorAccess.dims(value).length));
        }
        return choose(mask, Elementwise.cast(value, x.dtype()), x);
    }

    private static void checkFillMask(Tensor mask) {
        if (mask.dtype() != DType.BOOL) {
            throw new IllegalArgumentException(
                    "masked_fill only supports boolean masks, but got mask with dtype "
                            + DTypeAccess.tensorType(mask.dtype()));
        }
    }

    public static Tensor maskedSelect(Tensor x, Tensor mask) {
        if (mask.dtype() != DType.BOOL) {
            throw new IllegalArgumentException(
                    "masked_select: the mask must be of bool, but is of " + mask.dtype());
        }
        int[] shape = Shapes.broadcast(TensorAccess.dims(x), TensorAccess.dims(mask));
        Tensor there = DeviceMasks.selected(x, mask, shape);
        if (there != null) {
            return there;
        }
        Tensor result =
                TensorAccess.fresh(
                        x.dtype(), new int[] {MaskLoops.count(TensorAccess.strided(mask, shape))});
        MaskLoops.compress(
                DTypeAccess.elements(x.dtype()),
                TensorAccess.strided(mask, shape),
                TensorAccess.strided(x, shape),
                TensorAccess.strided(result));
        return result;
    }

    public static Tensor maskedSelectGradient(Tensor gradient, Tensor mask, int[] input) {
        int[] shape = Shapes.broadcast(input, TensorAccess.dims(mask));
        Tensor there = DeviceMasks.restored(gradient, mask, shape);
        if (there != null) {
            return there;
        }
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape);
        MaskLoops.expand(
                DTypeAccess.elements(gradient.dtype()),
                TensorAccess.strided(mask, shape),
                TensorAccess.strided(gradient),
                TensorAccess.strided(result));
        return result;
    }

    public static Tensor nonzero(Tensor x) {
        Tensor mask = truth(x);
        Tensor there = DeviceMasks.indices(mask);
        if (there != null) {
            return there;
        }
        int[] shape = {MaskLoops.count(TensorAccess.strided(mask)), TensorAccess.dims(x).length};
        Tensor result = TensorAccess.fresh(DType.INT64, shape);
        MaskLoops.indices(
                TensorAccess.strided(mask), TensorAccess.dims(x), TensorAccess.strided(result));
        return result;
    }
}
