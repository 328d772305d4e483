package org.gradwire.tensor;

/** What the engine does with gradients, which may be dense or sparse. Without history. */
final class AnyLayout {

    private AnyLayout() {}

    /** Return a sum, dense when one of the two is. */
    static Tensor add(Tensor a, Tensor b) {
        if (a.isSparse() && !b.isSparse()) {
            return SparseArithmetic.add(b, a, 1);
        }
        return b.isSparse() ? SparseArithmetic.add(a, b, 1) : Elementwise.add(a, b);
    }

    /** Add a multiple in place. */
    static void addInPlace(Tensor target, Tensor other, Number alpha) {
        if (!target.isSparse() && !other.isSparse()) {
            Elementwise.addInPlace(target, other, alpha);
            return;
        }
        Promotion.checkAlpha(Promotion.inPlace(Promotion.of(target, other), target), alpha);
        if (target.storage() instanceof SparseStorage held) {
            Tensor sum = SparseArithmetic.add(target, other, alpha);
            Tensor same = SparseArithmetic.cast(bounded(target, sum), target.dtype());
            held.replace(SparseStorage.of(same, "add_"));
        } else {
            SparseArithmetic.addInto(target, other, SparseStorage.of(other, "add_"), alpha);
        }
    }

    /**
     * Coalesce a sum whenever the number of its columns passes a power of two, so that sums over
     * many passes hold at most about twice what differs.
     */
    private static Tensor bounded(Tensor before, Tensor sum) {
        int from = Integer.highestOneBit(SparseStorage.of(before, "add_").nnz());
        int to = Integer.highestOneBit(SparseStorage.of(sum, "add_").nnz());
        return from < to ? SparseTensors.coalesce(sum) : sum;
    }

    static void zeroInPlace(Tensor target) {
        if (target.storage() instanceof SparseStorage held) {
            Tensor empty = SparseTensors.empty(target.dtype(), target.dims, held.sparseDim());
            held.replace(SparseStorage.of(empty, "zero_"));
        } else {
            Elementwise.fill(target, 0);
        }
    }

    static Tensor copy(Tensor x) {
        return x.isSparse() ? SparseArithmetic.copy(x) : Elementwise.copy(x);
    }

    /** Return the tensor itself when it has the type, else a converted copy. */
    static Tensor cast(Tensor x, DType dtype) {
        return x.isSparse() ? SparseArithmetic.cast(x, dtype) : Elementwise.cast(x, dtype);
    }

    /** {@return whether what is held lies one after the other} */
    static boolean isContiguous(Tensor x) {
        return x.storage() instanceof SparseStorage held
                ? held.indices().isContiguous() && held.values().isContiguous()
                : x.isContiguous();
    }

    /** {@return a tensor that holds the same, in which others do not see changes} */
    static Tensor shallow(Tensor x) {
        return x.storage() instanceof SparseStorage held
                ? Tensor.over(new SparseStorage(held.indices(), held.values(), false), x.dims)
                : x;
    }
}
