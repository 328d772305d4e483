package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Folds;
import org.gradwire.tensor.kernel.Searches;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/** Forward rules that find the largest or smallest elements, and their gradients. */
final class Extremes {

    private Extremes() {}

    /** Return the extreme of all elements. */
    static Tensor whole(String name, Binary function, Tensor x) {
        if (x.numel() == 0) {
            throw new IllegalArgumentException(
                    name
                            + "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
        }
        return over(name, function, x, new int[0], false);
    }

    /** Return the extremes over some dimensions; none given means all. */
    static Tensor over(String name, Binary function, Tensor x, int[] dim, boolean keepdim) {
        boolean[] reduced = ReductionPlan.reduced(dim, x.dims.length);
        if (dim.length == 0 && x.numel() == 0) {
            return whole(name, function, x);
        }
        requireElements(name, x, reduced);
        Tensor work = folding(x);
        Object values = fold(work.dtype().elements(), function, work, reduced);
        int[] shape = ReductionPlan.shape(x.dims, reduced, keepdim);
        return Elementwise.cast(Factories.over(work.dtype(), values, shape), x.dtype());
    }

    private static void requireElements(String name, Tensor x, boolean[] reduced) {
        for (int d = 0; d < reduced.length; d++) {
            if (reduced[d] && x.dims[d] == 0) {
                throw new IndexOutOfBoundsException(
                        "%s(): Expected reduction dim %d to have non-zero size; the shape is %s"
                                .formatted(name, d, Arrays.toString(x.dims)));
            }
        }
    }

    /** Return a tensor of a type that kernels fold: fractions, or int64. */
    private static Tensor folding(Tensor x) {
        return x.dtype().isFloating() ? x : Elementwise.cast(x, DType.INT64);
    }

    private static <A> A fold(Elements<A> elements, Binary function, Tensor x, boolean[] reduced) {
        if (x.numel() == 0) {
            return elements.array(0);
        }
        ReductionPlan plan = ReductionPlan.of(x, reduced);
        return plan.inner() == 1
                ? Folds.rows(elements, function, plan.elements(), plan.outer(), plan.terms())
                : Folds.middle(
                        elements,
                        function,
                        plan.elements(),
                        plan.outer(),
                        plan.terms(),
                        plan.inner());
    }

    /** Return the product over some dimensions; whole numbers give int64. */
    static Tensor product(Tensor x, boolean[] reduced, boolean keepdim) {
        Tensor work = folding(x);
        int[] shape = ReductionPlan.shape(x.dims, reduced, keepdim);
        if (work.numel() == 0) {
            return Tensor.ones(work.dtype(), shape);
        }
        Object products = fold(work.dtype().elements(), Binary.MUL, work, reduced);
        return Factories.over(work.dtype(), products, shape);
    }

    /** Return the extremes along a dimension and the index of the first of each. */
    static List<Tensor> withIndices(
            String name, Binary function, Tensor x, int dim, boolean keepdim) {
        boolean[] reduced = ReductionPlan.reduced(new int[] {dim}, x.dims.length);
        requireElements(name, x, reduced);
        return find(function, x, reduced, keepdim);
    }

    private static <A> List<Tensor> find(
            Binary function, Tensor x, boolean[] reduced, boolean keepdim) {
        Tensor work = folding(x);
        Elements<A> elements = work.dtype().elements();
        A values = fold(elements, function, work, reduced);
        int[] shape = ReductionPlan.shape(x.dims, reduced, keepdim);
        Tensor indices = Tensor.of(indices(elements, work, reduced, values), shape);
        Tensor extremes = Factories.over(work.dtype(), values, shape);
        return List.of(Elementwise.cast(extremes, x.dtype()), indices);
    }

    private static <A> long[] indices(Elements<A> elements, Tensor x, boolean[] reduced, A values) {
        if (x.numel() == 0) {
            return new long[0];
        }
        ReductionPlan plan = ReductionPlan.of(x, reduced);
        return plan.inner() == 1
                ? Folds.find(elements, plan.elements(), plan.outer(), plan.terms(), values)
                : Folds.findMiddle(
                        elements,
                        plan.elements(),
                        plan.outer(),
                        plan.terms(),
                        plan.inner(),
                        values);
    }

    /** Return the index of the first extreme along a dimension, or among all elements. */
    static Tensor index(
            String name, Binary function, Tensor x, @Nullable Integer dim, boolean keepdim) {
        if (dim != null) {
            return withIndices(name, function, x, dim, keepdim).get(1);
        }
        if (x.numel() == 0) {
            throw new IndexOutOfBoundsException(
                    name
                            + "(): Expected reduction dim to be specified for input.numel() == 0; the shape is "
                            + Arrays.toString(x.dims));
        }
        boolean[] all = new boolean[x.dims.length];
        Arrays.fill(all, true);
        return find(function, x, all, keepdim).get(1);
    }

    /** Return a gradient spread evenly over the elements that equal the extreme of all. */
    static Tensor shared(Tensor gradient, Tensor x, Tensor extreme) {
        Tensor chosen =
                Double.isNaN(extreme.item()) ? Masks.not(Masks.same(x, x)) : Masks.same(x, extreme);
        return Masks.keep(gradient.div(Reductions.sum(chosen)), chosen);
    }

    /** As {@link #shared}, over some dimensions. */
    static Tensor sharedOver(Tensor gradient, Tensor x, Tensor extremes, int[] dim) {
        int[] kept = ReductionPlan.shape(x.dims, ReductionPlan.reduced(dim, x.dims.length), true);
        Tensor chosen = Masks.same(x, extremes.reshaped(kept));
        Tensor count = Reductions.sum(chosen, dim, true);
        return gradient.reshaped(kept).mul(chosen).div(count);
    }

    /** Return zeros in which the elements at the indices of the extremes hold the gradient. */
    static @Nullable Tensor[] placed(Saved saved, @Nullable Tensor gradient) {
        int[] shape = saved.shape(0);
        if (gradient == null || shape.length == 0) {
            return new @Nullable Tensor[] {gradient};
        }
        int dim = Shapes.dimension(saved.args().integer(1), shape.length);
        int inner = Shapes.count(Arrays.copyOfRange(shape, dim + 1, shape.length));
        int outer = Shapes.count(Arrays.copyOf(shape, dim));
        DType dtype = gradient.dtype();
        Elements<?> elements = dtype.elements();
        Object result = elements.array(Shapes.count(shape));
        long[] indices = (long[]) Factories.array(saved.output(1));
        Object from = Factories.array(gradient);
        Searches.place(from, indices, result, outer, shape[dim], inner);
        return new @Nullable Tensor[] {Factories.over(dtype, result, shape)};
    }
}
