package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Promotion;
import org.gradwire.tensor.sparse.SparseArithmetic;
import org.gradwire.tensor.sparse.SparseTensors;
import org.gradwire.tensor.storage.SparseStorage;

/** Arithmetic of the engine on dense and sparse gradients. Without history. */
public final class GradientArithmetic {

    private GradientArithmetic() {}

    /** Return a sum, dense when one of the two is. */
    public static Tensor add(Tensor a, Tensor b) {
        if (a.isSparse() && !b.isSparse()) {
            return SparseArithmetic.add(b, a, 1);
        }
        return b.isSparse() ? SparseArithmetic.add(a, b, 1) : Elementwise.add(a, b);
    }

    /** Add a multiple in place. */
    public static void addInPlace(Tensor target, Tensor other, Number alpha) {
        if (!target.isSparse() && !other.isSparse()) {
            Elementwise.addInPlace(target, other, alpha);
            return;
        }
        Promotion.checkAlpha(Promotion.inPlace(Promotion.of(target, other), target), alpha);
        if (TensorAccess.storage(target) instanceof SparseStorage held) {
            Tensor sum = SparseArithmetic.add(target, other, alpha);
            Tensor same = SparseArithmetic.cast(bounded(target, sum), target.dtype());
            held.replace(SparseStorage.of(same, "add_"));
        } else {
            SparseArithmetic.addInto(target, other, SparseStorage.of(other, "add_"), alpha);
        }
    }

    /**
     * Coalesce a sum whenever the number of its columns passes a power of two, so that sums over
     * many passes hold at most about twice the distinct columns.
     */
    private static Tensor bounded(Tensor before, Tensor sum) {
        int from = Integer.highestOneBit(SparseStorage.of(before, "add_").nnz());
        int to = Integer.highestOneBit(SparseStorage.of(sum, "add_").nnz());
        return from < to ? SparseTensors.coalesce(sum) : sum;
    }

    public static void zeroInPlace(Tensor target) {
        if (TensorAccess.storage(target) instanceof SparseStorage held) {
            Tensor empty =
                    SparseTensors.empty(
                            target.dtype(), TensorAccess.dims(target), held.sparseDim());
            held.replace(SparseStorage.of(empty, "zero_"));
        } else {
            Elementwise.fill(target, 0);
        }
    }

    public static Tensor copy(Tensor x) {
        return x.isSparse() ? SparseArithmetic.copy(x) : Elementwise.copy(x);
    }

    /** Return the tensor itself when it has the type, else a converted copy. */
    public static Tensor cast(Tensor x, DType dtype) {
        return x.isSparse() ? SparseArithmetic.cast(x, dtype) : Elementwise.cast(x, dtype);
    }

    /** {@return whether the elements, or the sparse values, are contiguous} */
    public static boolean isContiguous(Tensor x) {
        return TensorAccess.storage(x) instanceof SparseStorage held
                ? held.indices().isContiguous() && held.values().isContiguous()
                : x.isContiguous();
    }

    /** {@return a copy} */
    public static Tensor shallow(Tensor x) {
        return TensorAccess.storage(x) instanceof SparseStorage held
                ? TensorAccess.over(
                        new SparseStorage(held.indices(), held.values(), false),
                        TensorAccess.dims(x))
                : x;
    }
}
