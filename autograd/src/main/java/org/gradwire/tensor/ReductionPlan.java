package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Strided;

import java.util.Arrays;

/**
 * How a reduction goes through a tensor: as three dimensions of which it goes over the middle one,
 * chosen so that memory is read in long runs.
 *
 * @param elements the tensor's, in the order of those three dimensions
 */
record ReductionPlan(Strided elements, int outer, int terms, int inner) {
    /** Fewer columns than these, or terms of a row, are not worth a block of their own. */
    private static final int NARROW = 16;

    /** Return the plan for a reduction over some dimensions of a tensor. */
    static ReductionPlan of(Tensor x, boolean[] reduced) {
        int[] order = keptFirst(reduced);
        int kept = 0;
        for (boolean gone : reduced) {
            kept += gone ? 0 : 1;
        }
        int terms = 1;
        for (int i = kept; i < order.length; i++) {
            terms *= x.dims[order[i]];
        }
        int outputs = terms == 0 ? 0 : x.numel() / terms;
        Tensor rows = x.permuted(order);
        Tensor columns = x.permuted(rotated(order, kept));
        int inner = rows.isContiguous() ? 1 : inner(x, reduced);
        if (inner >= NARROW) {
            return new ReductionPlan(x.strided(), outputs / inner, terms, inner);
        }
        return outputs >= NARROW && (columns.isContiguous() || terms < NARROW)
                ? new ReductionPlan(columns.strided(), 1, terms, outputs)
                : new ReductionPlan(rows.strided(), outputs, terms, 1);
    }

    /** {@return the elements behind the one run of dimensions that goes; 1 if there are several} */
    private static int inner(Tensor x, boolean[] reduced) {
        int inner = 1;
        int d = reduced.length - 1;
        for (; d >= 0 && !reduced[d]; d--) {
            inner *= x.dims[d];
        }
        while (d >= 0 && reduced[d]) {
            d--;
        }
        for (; d >= 0; d--) {
            if (reduced[d]) {
                return 1;
            }
        }
        return x.isContiguous() ? inner : 1;
    }

    /** {@return all dimensions, those that stay before those that go} */
    private static int[] keptFirst(boolean[] reduced) {
        int[] order = new int[reduced.length];
        int next = 0;
        for (int d = 0; d < reduced.length; d++) {
            if (!reduced[d]) {
                order[next++] = d;
            }
        }
        for (int d = 0; d < reduced.length; d++) {
            if (reduced[d]) {
                order[next++] = d;
            }
        }
        return order;
    }

    private static int[] rotated(int[] order, int by) {
        int[] rotated = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            rotated[i] = order[(i + by) % order.length];
        }
        return rotated;
    }

    /** Return the shape of what is left; dimensions that go stay with extent 1 if wished. */
    static int[] shape(int[] dims, boolean[] reduced, boolean keepdim) {
        int[] shape = new int[dims.length];
        int count = 0;
        for (int d = 0; d < dims.length; d++) {
            if (!reduced[d] || keepdim) {
                shape[count++] = reduced[d] ? 1 : dims[d];
            }
        }
        return Arrays.copyOf(shape, count);
    }

    /** Return which dimensions go; none named means all. */
    static boolean[] reduced(int[] dim, int dims) {
        boolean[] reduced = Shapes.selection(dim, dims);
        if (dim.length == 0) {
            Arrays.fill(reduced, true);
        }
        return reduced;
    }
}
