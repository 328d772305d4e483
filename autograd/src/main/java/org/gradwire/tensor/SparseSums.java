package org.gradwire.tensor;

import java.util.Arrays;

/** Sums of sparse tensors, and their gradients, which have the indices of what was summed. */
final class SparseSums {

    private SparseSums() {}

    static Tensor sum(Tensor x) {
        return Reductions.sum(SparseStorage.of(x, "sum").values());
    }

    /** Return a gradient: the one number at each index. */
    static Tensor sumGradient(Tensor gradient, Tensor x) {
        return SparseTensors.masked(SparseTensors.densified(gradient), x);
    }

    /** Sum over some dimensions; dense when all sparse dimensions are among them. */
    static Tensor sum(Tensor x, int[] dims, boolean keepdim) {
        boolean[] reduced = ReductionPlan.reduced(dims, x.dims.length);
        Tensor sum = sum(x, reduced);
        for (int d = 0; keepdim && d < reduced.length; d++) {
            if (reduced[d]) {
                sum = sum.isSparse() ? SparseShapes.unsqueeze(sum, d) : Views.unsqueeze(sum, d);
            }
        }
        return sum;
    }

    private static Tensor sum(Tensor x, boolean[] reduced) {
        SparseStorage held = SparseStorage.of(x, "sum");
        int[] sparseKept = positions(reduced, false, 0, held.sparseDim());
        int[] denseReduced = positions(reduced, true, held.sparseDim(), reduced.length);
        Tensor values = held.values();
        if (denseReduced.length > 0) {
            Arrays.setAll(denseReduced, i -> denseReduced[i] - held.sparseDim() + 1);
            values = Reductions.sum(values, denseReduced, false);
        }
        if (sparseKept.length == 0) {
            return Reductions.sum(values, new int[] {0}, false);
        }
        int[] kept = positions(reduced, false, 0, reduced.length);
        int[] shape = sizes(x.dims, kept);
        Tensor indices = rows(held.indices(), sparseKept);
        return SparseTensors.coalesce(
                Tensor.over(new SparseStorage(indices, values, false), shape));
    }

    /** {@return the dimensions of a range that are reduced, or those that are not} */
    private static int[] positions(boolean[] reduced, boolean wanted, int from, int to) {
        int[] found = new int[to - from];
        int count = 0;
        for (int d = from; d < to; d++) {
            if (reduced[d] == wanted) {
                found[count++] = d;
            }
        }
        return Arrays.copyOf(found, count);
    }

    private static int[] sizes(int[] shape, int[] dims) {
        int[] sizes = new int[dims.length];
        Arrays.setAll(sizes, i -> shape[dims[i]]);
        return sizes;
    }

    private static Tensor rows(Tensor indices, int[] chosen) {
        int[] shape = {chosen.length, indices.dims[1]};
        return SparseTensors.gathered(indices, chosen, shape);
    }

    /** Return a gradient with the indices of what was summed: to each what its sum has. */
    static Tensor sumGradient(Tensor gradient, Tensor x, int[] dims, boolean keepdim) {
        boolean[] reduced = ReductionPlan.reduced(dims, x.dims.length);
        Tensor flow = keepdim ? withoutReduced(gradient, reduced) : gradient;
        Tensor at = SparseTensors.coalesce(x);
        SparseStorage held = SparseStorage.of(at, "sum");
        int[] kept = positions(reduced, false, 0, held.sparseDim());
        Tensor values = flow;
        if (flow.isSparse()) {
            int[] keys = SparseTensors.keys(rows(held.indices(), kept), sizes(x.dims, kept));
            values = SparseTensors.valuesAt(flow, keys);
        } else {
            values = Views.unsqueeze(flow, 0);
        }
        for (int d = held.sparseDim(); d < reduced.length; d++) {
            if (reduced[d]) {
                values = Views.unsqueeze(values, d - held.sparseDim() + 1);
            }
        }
        Tensor spread = Views.expand(values, held.values().dims);
        return Tensor.over(
                new SparseStorage(held.indices(), Elementwise.copy(spread), true), x.dims);
    }

    private static Tensor withoutReduced(Tensor gradient, boolean[] reduced) {
        Tensor flow = gradient;
        for (int d = reduced.length - 1; d >= 0; d--) {
            if (reduced[d]) {
                flow = flow.isSparse() ? SparseShapes.select(flow, d, 0) : Views.select(flow, d, 0);
            }
        }
        return flow;
    }
}
