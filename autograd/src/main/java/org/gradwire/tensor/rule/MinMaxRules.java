package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.BinaryReductions;
import org.gradwire.tensor.kernel.ElementSearch;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.device.DeviceReductions;
import org.gradwire.tensor.rule.device.DeviceTables;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/** Maximum and minimum rules, and products; with their gradients. */
public final class MinMaxRules {

    private MinMaxRules() {}

    /** Return the extreme of all elements. */
    public static Tensor whole(String name, Binary function, Tensor x) {
        if (x.numel() == 0) {
            throw new IllegalArgumentException(
                    name
                            + "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
        }
        return over(name, function, x, new int[0], false);
    }

    /** Return the extremes over some dimensions; none given means all. */
    public static Tensor over(String name, Binary function, Tensor x, int[] dim, boolean keepdim) {
        boolean[] reduced = ReductionPlan.reduced(dim, TensorAccess.dims(x).length);
        if (dim.length == 0 && x.numel() == 0) {
            return whole(name, function, x);
        }
        requireElements(name, x, reduced);
        Tensor work = folding(x);
        int[] shape = ReductionPlan.shape(TensorAccess.dims(x), reduced, keepdim);
        Tensor there = DeviceReductions.fold(function, work, reduced, shape);
        if (there != null) {
            return Elementwise.cast(there, x.dtype());
        }
        Object values = fold(DTypeAccess.elements(work.dtype()), function, work, reduced);
        return Elementwise.cast(Factories.over(work.dtype(), values, shape), x.dtype());
    }

    private static void requireElements(String name, Tensor x, boolean[] reduced) {
        for (int d = 0; d < reduced.length; d++) {
            if (reduced[d] && TensorAccess.dims(x)[d] == 0) {
                throw new IndexOutOfBoundsException(
                        "%s(): Expected reduction dim %d to have non-zero size; the shape is %s"
                                .formatted(name, d, Arrays.toString(TensorAccess.dims(x))));
            }
        }
    }

    /** Return a tensor of a type that reduction kernels support: floating-point, or int64. */
    private static Tensor folding(Tensor x) {
        return x.dtype().isFloating() ? x : Elementwise.cast(x, DType.INT64);
    }

    private static <A> A fold(Elements<A> elements, Binary function, Tensor x, boolean[] reduced) {
        if (x.numel() == 0) {
            return elements.array(0);
        }
        ReductionPlan plan = ReductionPlan.of(x, reduced);
        return plan.inner() == 1
                ? BinaryReductions.rows(
                        elements, function, plan.elements(), plan.outer(), plan.terms())
                : BinaryReductions.middle(
                        elements,
                        function,
                        plan.elements(),
                        plan.outer(),
                        plan.terms(),
                        plan.inner());
    }

    /** Return the product over some dimensions; integers give int64. */
    static Tensor product(Tensor x, boolean[] reduced, boolean keepdim) {
        Tensor work = folding(x);
        int[] shape = ReductionPlan.shape(TensorAccess.dims(x), reduced, keepdim);
        if (work.numel() == 0) {
            return Tensor.ones(work.dtype(), shape);
        }
        Tensor there = DeviceReductions.fold(Binary.MUL, work, reduced, shape);
        if (there != null) {
            return there;
        }
        Object products = fold(DTypeAccess.elements(work.dtype()), Binary.MUL, work, reduced);
        return Factories.over(work.dtype(), products, shape);
    }

    /** Return the extremes along a dimension and the index of the first of each. */
    public static List<Tensor> withIndices(
            String name, Binary function, Tensor x, int dim, boolean keepdim) {
        boolean[] reduced = ReductionPlan.reduced(new int[] {dim}, TensorAccess.dims(x).length);
        requireElements(name, x, reduced);
        return find(function, folding(x), x.dtype(), reduced, keepdim);
    }

    private static List<Tensor> find(
            Binary function, Tensor x, DType dtype, boolean[] reduced, boolean keepdim) {
        int[] shape = ReductionPlan.shape(TensorAccess.dims(x), reduced, keepdim);
        Tensor there = DeviceReductions.fold(function, x, reduced, shape);
        Tensor indices = there == null ? null : DeviceReductions.index(x, reduced, there);
        return there == null || indices == null
                ? findOnHost(function, x, dtype, reduced, shape)
                : List.of(Elementwise.cast(there, dtype), indices);
    }

    private static <A> List<Tensor> findOnHost(
            Binary function, Tensor x, DType dtype, boolean[] reduced, int[] shape) {
        Elements<A> elements = DTypeAccess.elements(x.dtype());
        A values = fold(elements, function, x, reduced);
        Tensor indices = Tensor.of(indices(elements, x, reduced, values), shape);
        Tensor extremes = Factories.over(x.dtype(), values, shape);
        return List.of(Elementwise.cast(extremes, dtype), indices);
    }

    private static <A> long[] indices(Elements<A> elements, Tensor x, boolean[] reduced, A values) {
        if (x.numel() == 0) {
            return new long[0];
        }
        ReductionPlan plan = ReductionPlan.of(x, reduced);
        return plan.inner() == 1
                ? BinaryReductions.find(
                        elements, plan.elements(), plan.outer(), plan.terms(), values)
                : BinaryReductions.findMiddle(
                        elements,
                        plan.elements(),
                        plan.outer(),
                        plan.terms(),
                        plan.inner(),
                        values);
    }

    /** Return the index of the first extreme along a dimension, or among all elements. */
    public static Tensor index(
            String name, Binary function, Tensor x, @Nullable Integer dim, boolean keepdim) {
        if (dim != null) {
            return withIndices(name, function, x, dim, keepdim).get(1);
        }
        if (x.numel() == 0) {
            throw new IndexOutOfBoundsException(
                    name
                            + "(): Expected reduction dim to be specified for input.numel() == 0; the shape is "
                            + Arrays.toString(TensorAccess.dims(x)));
        }
        boolean[] all = new boolean[TensorAccess.dims(x).length];
        Arrays.fill(all, true);
        return find(function, folding(x), x.dtype(), all, keepdim).get(1);
    }

    /** Return a gradient spread evenly over the elements that equal the extreme of all. */
    public static Tensor shared(Tensor gradient, Tensor x, Tensor extreme) {
        Tensor chosen =
                Double.isNaN(extreme.item())
                        ? Indicators.not(Indicators.same(x, x))
                        : Indicators.same(x, extreme);
        return Indicators.keep(gradient.div(ReductionRules.sum(chosen)), chosen);
    }

    /** As {@link #shared}, over some dimensions. */
    public static Tensor sharedOver(Tensor gradient, Tensor x, Tensor extremes, int[] dim) {
        int[] kept =
                ReductionPlan.shape(
                        TensorAccess.dims(x),
                        ReductionPlan.reduced(dim, TensorAccess.dims(x).length),
                        true);
        Tensor chosen = Indicators.same(x, TensorAccess.reshaped(extremes, kept));
        Tensor count = ReductionRules.sum(chosen, dim, true);
        return TensorAccess.reshaped(gradient, kept).mul(chosen).div(count);
    }

    /** Return zeros in which the elements at the indices of the extremes hold the gradient. */
    public static @Nullable Tensor[] placed(Saved saved, @Nullable Tensor gradient) {
        int[] shape = saved.shape(0);
        if (gradient == null || shape.length == 0) {
            return new @Nullable Tensor[] {gradient};
        }
        int dim = Shapes.dimension(saved.args().integer(1), shape.length);
        Tensor there = DeviceTables.placed(gradient, saved.output(1), shape, dim, -1, 1);
        if (there != null) {
            return new @Nullable Tensor[] {there};
        }
        int inner = Shapes.count(Arrays.copyOfRange(shape, dim + 1, shape.length));
        int outer = Shapes.count(Arrays.copyOf(shape, dim));
        DType dtype = gradient.dtype();
        Elements<?> elements = DTypeAccess.elements(dtype);
        Object result = elements.array(Shapes.count(shape));
        long[] indices = (long[]) Factories.array(saved.output(1));
        Object from = Factories.array(gradient);
        ElementSearch.place(from, indices, result, outer, shape[dim], inner);
        return new @Nullable Tensor[] {Factories.over(dtype, result, shape)};
    }
}
