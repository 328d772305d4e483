package org.gradwire.tensor.sparse;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.ReductionPlan;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.rule.SliceRules;
import org.gradwire.tensor.rule.ViewRules;
import org.gradwire.tensor.storage.SparseStorage;

import java.util.Arrays;

/** Sums of sparse tensors, and their gradients, which have the indices of the operand. */
public final class SparseSums {

    private SparseSums() {}

    public static Tensor sum(Tensor x) {
        return ReductionRules.sum(SparseStorage.of(x, "sum").values());
    }

    /** Return a gradient: the one number at each index. */
    public static Tensor sumGradient(Tensor gradient, Tensor x) {
        return SparseTensors.masked(SparseTensors.densified(gradient), x);
    }

    /** Sum over some dimensions; dense when all sparse dimensions are among them. */
    public static Tensor sum(Tensor x, int[] dims, boolean keepdim) {
        boolean[] reduced = ReductionPlan.reduced(dims, TensorAccess.dims(x).length);
        Tensor sum = sum(x, reduced);
        for (int d = 0; keepdim && d < reduced.length; d++) {
            if (reduced[d]) {
                sum = sum.isSparse() ? SparseShapes.unsqueeze(sum, d) : ViewRules.unsqueeze(sum, d);
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
            values = ReductionRules.sum(values, denseReduced, false);
        }
        if (sparseKept.length == 0) {
            return ReductionRules.sum(values, new int[] {0}, false);
        }
        int[] kept = positions(reduced, false, 0, reduced.length);
        int[] shape = sizes(TensorAccess.dims(x), kept);
        Tensor indices = rows(held.indices(), sparseKept);
        return SparseTensors.coalesce(
                TensorAccess.over(new SparseStorage(indices, values, false), shape));
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
        int[] shape = {chosen.length, TensorAccess.dims(indices)[1]};
        return SparseTensors.gathered(indices, chosen, shape);
    }

    /**
     * Return a gradient with the indices of the operand: each element gets the gradient of its sum.
     */
    public static Tensor sumGradient(Tensor gradient, Tensor x, int[] dims, boolean keepdim) {
        boolean[] reduced = ReductionPlan.reduced(dims, TensorAccess.dims(x).length);
        Tensor flow = keepdim ? withoutReduced(gradient, reduced) : gradient;
        Tensor at = SparseTensors.coalesce(x);
        SparseStorage held = SparseStorage.of(at, "sum");
        int[] kept = positions(reduced, false, 0, held.sparseDim());
        Tensor values = flow;
        if (flow.isSparse()) {
            int[] keys =
                    SparseTensors.keys(
                            rows(held.indices(), kept), sizes(TensorAccess.dims(x), kept));
            values = SparseTensors.valuesAt(flow, keys);
        } else {
            values = ViewRules.unsqueeze(flow, 0);
        }
        for (int d = held.sparseDim(); d < reduced.length; d++) {
            if (reduced[d]) {
                values = ViewRules.unsqueeze(values, d - held.sparseDim() + 1);
            }
        }
        Tensor spread = ViewRules.expand(values, TensorAccess.dims(held.values()));
        return TensorAccess.over(
                new SparseStorage(held.indices(), Elementwise.copy(spread), true),
                TensorAccess.dims(x));
    }

    private static Tensor withoutReduced(Tensor gradient, boolean[] reduced) {
        Tensor flow = gradient;
        for (int d = reduced.length - 1; d >= 0; d--) {
            if (reduced[d]) {
                flow =
                        flow.isSparse()
                                ? SparseShapes.select(flow, d, 0)
                                : SliceRules.select(flow, d, 0);
            }
        }
        return flow;
    }
}
