package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.RowAccess;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.OperatorRow.Computed;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.EmbeddingBagInput;
import org.gradwire.tensor.rule.EmbeddingRules;
import org.gradwire.tensor.rule.GatherScatterRules;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

/** Embedding lookups of single rows. */
public final class EmbeddingLookup {

    private EmbeddingLookup() {}

    /** The rows that were looked up. */
    private record Indices(long[] rows) {}

    /** Look up rows; on a device the gradient gets the indices, for it needs them on the host. */
    public static Object lookup(Tensor weight, Tensor indices, @Nullable Integer paddingIndex) {
        long[] rows = indices(weight, indices, paddingIndex);
        Tensor result = embedding(weight, indices, rows);
        return result.device().isCpu() ? result : new Computed(result, new Indices(rows));
    }

    public static Tensor embedding(Tensor weight, Tensor indices, @Nullable Integer paddingIndex) {
        return embedding(weight, indices, indices(weight, indices, paddingIndex));
    }

    private static long[] indices(Tensor weight, Tensor indices, @Nullable Integer paddingIndex) {
        EmbeddingRules.padding("embedding", weight, paddingIndex);
        EmbeddingBagInput.checkIndices("embedding", indices);
        long[] rows = indices.toLongArray();
        EmbeddingBagInput.checkRange(rows, TensorAccess.dims(weight)[0]);
        return rows;
    }

    private static <A> Tensor embedding(Tensor weight, Tensor indices, long[] rows) {
        int width = TensorAccess.dims(weight)[1];
        Elements<A> elements = DTypeAccess.elements(weight.dtype());
        Tensor result =
                TensorAccess.fresh(
                        weight.dtype(),
                        Shapes.with(
                                TensorAccess.dims(indices),
                                TensorAccess.dims(indices).length,
                                width));
        if (DeviceTables.takeRows(weight, indices, result)) {
            return result;
        }
        if (weight.isContiguous()) {
            GatherScatterRules.copyRows(weight, 0, rows, result, width);
            return result;
        }
        var table = new RowAccess<>(elements, TensorAccess.strided(weight), width);
        var out = new RowAccess<>(elements, TensorAccess.strided(result), width);
        for (int i = 0; i < rows.length; i++) {
            BlockReader<A> row = table.row((int) rows[i]);
            out.set(i, row.array(), row.offset());
        }
        return result;
    }

    public static Tensor gradient(Saved saved, Tensor gradient) {
        int rows = saved.shape(0)[0];
        Integer given = saved.args().optionalInteger(2);
        Integer padding = given == null || given >= 0 ? given : Integer.valueOf(given + rows);
        Tensor flat = TensorAccess.reshaped(saved.input(1), saved.input(1).numel(), 1);
        Tensor rowsOfGradient =
                TensorAccess.reshaped(gradient, TensorAccess.dims(flat)[0], saved.shape(0)[1]);
        if (!gradient.device().isCpu()) {
            long[] indices = saved.extra(Indices.class).rows;
            Tensor sums =
                    DeviceTables.addRows(
                            rowsOfGradient, indices, padding, saved.args().flag(3), saved.shape(0));
            if (sums != null) {
                return sums;
            }
        }
        EmbeddingBagInput embeddingBagInput =
                EmbeddingBagInput.of(flat, null, "sum", false, padding);
        double[] factors = saved.args().flag(3) ? embeddingBagInput.byFrequency(null, rows) : null;
        return EmbeddingRules.weightGradient(
                rowsOfGradient, saved.shape(0), embeddingBagInput, factors);
    }
}
