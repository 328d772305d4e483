package org.gradwire.tensor.rule;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.storage.Shapes;

import java.util.Arrays;

/**
 * Plan of a reduction: the tensor as three dimensions, of which the middle one is reduced, chosen
 * so that memory is read in long runs.
 *
 * @param elements the tensor's, in the order of those three dimensions
 */
public record ReductionPlan(Strided elements, int outer, int terms, int inner) {
    /** Minimum number of columns, or of terms of a row, for a separate block. */
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
            terms *= TensorAccess.dims(x)[order[i]];
        }
        int outputs = terms == 0 ? 0 : x.numel() / terms;
        Tensor rows = TensorAccess.permuted(x, order);
        Tensor columns = TensorAccess.permuted(x, rotated(order, kept));
        int inner = rows.isContiguous() ? 1 : inner(x, reduced);
        if (inner >= NARROW) {
            return new ReductionPlan(TensorAccess.strided(x), outputs / inner, terms, inner);
        }
        return outputs >= NARROW && (columns.isContiguous() || terms < NARROW)
                ? new ReductionPlan(TensorAccess.strided(columns), 1, terms, outputs)
                : new ReductionPlan(TensorAccess.strided(rows), outputs, terms, 1);
    }

    /**
     * {@return the number of elements after the reduced run of dimensions; 1 if there are several
     * runs}
     */
    private static int inner(Tensor x, boolean[] reduced) {
        int inner = 1;
        int d = reduced.length - 1;
        for (; d >= 0 && !reduced[d]; d--) {
            inner *= TensorAccess.dims(x)[d];
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

    /** {@return all dimensions, the kept ones before the reduced ones} */
    public static int[] keptFirst(boolean[] reduced) {
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

    /** Return the shape of the result; reduced dimensions stay with extent 1 if {@code keepdim}. */
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

    /** Return which dimensions are reduced; none given means all. */
    public static boolean[] reduced(int[] dim, int dims) {
        boolean[] reduced = Shapes.selection(dim, dims);
        if (dim.length == 0) {
            Arrays.fill(reduced, true);
        }
        return reduced;
    }
}
