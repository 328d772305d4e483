package org.gradwire.nn;

import org.gradwire.autograd.GradMode;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Operations on an embedding table, shared by {@link Embedding} and {@link EmbeddingBag}. */
final class EmbeddingTable {

    private EmbeddingTable() {}

    /** Return the non-negative padding index; null for none. */
    static @Nullable Integer padding(@Nullable Integer paddingIdx, int numEmbeddings) {
        if (paddingIdx == null) {
            return null;
        }
        if (paddingIdx < -numEmbeddings || paddingIdx >= numEmbeddings) {
            throw new IllegalArgumentException(
                    "paddingIdx %d must name one of the %d vectors of the table; negative ones count from the end"
                            .formatted(paddingIdx, numEmbeddings));
        }
        return paddingIdx < 0 ? paddingIdx + numEmbeddings : paddingIdx;
    }

    static void check(int numEmbeddings, int embeddingDim, @Nullable Double maxNorm) {
        ArgumentChecks.requirePositive(numEmbeddings, "numEmbeddings");
        ArgumentChecks.requirePositive(embeddingDim, "embeddingDim");
        if (maxNorm != null && !(maxNorm > 0)) {
            throw new IllegalArgumentException("maxNorm should be positive, got " + maxNorm);
        }
    }

    /** {@return the positions of the indices that are not padding} */
    static Tensor kept(Tensor indices, int padding) {
        return indices.ne(padding).nonzero().view(-1);
    }

    /** Look rows up with a sparse gradient that excludes the padding row. */
    static Tensor sparseRows(Tensor weight, Tensor indices, @Nullable Integer padding) {
        if (padding == null) {
            return Ops.embedding(weight, indices, true);
        }
        Tensor flat = indices.reshape(-1);
        Tensor positions = kept(flat, padding);
        Tensor rows = Ops.embedding(weight, flat.indexSelect(0, positions), true);
        Tensor isPadding = flat.eq(padding).to(weight.dtype()).unsqueeze(1);
        Tensor fixed = isPadding.mul(weight.detach().select(0, padding));
        int[] shape = Arrays.copyOf(indices.shape(), indices.dim() + 1);
        shape[indices.dim()] = weight.size(1);
        return Ops.indexAdd(fixed, 0, positions, rows, 1).view(shape);
    }

    /** Renormalize in place the looked-up rows whose norm exceeds the maximum. */
    static void renormalize(Tensor weight, Tensor indices, @Nullable Double maxNorm, double p) {
        if (maxNorm == null || indices.numel() == 0) {
            return;
        }
        try (var _ = GradMode.noGrad()) {
            Tensor used = Tensor.zeros(DType.INT64, weight.device(), weight.size(0));
            Tensor flat = indices.reshape(-1);
            Tensor which = Ops.indexAdd(used, 0, flat, Tensor.onesLike(flat), 1).nonzero().view(-1);
            Tensor rows = weight.detach().indexSelect(0, which);
            Tensor norms = rows.norm(p, new int[] {1}, true);
            Tensor factors = norms.add(1e-7).reciprocal().mul(maxNorm);
            Tensor shorter = Ops.where(norms.gt(maxNorm), rows.mul(factors), rows);
            Tensor index = which.unsqueeze(1).expand(shorter.shape()).contiguous();
            if (norms.gt(maxNorm).any().itemAsBoolean()) {
                weight.copy_(Ops.scatter(weight.detach(), 0, index, shorter));
            }
        }
    }
}
