package org.gradwire.tensor.sparse;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.RowAccess;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.Args;
import org.gradwire.tensor.operator.OperatorRow.Computed;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.EmbeddingBagInput;
import org.gradwire.tensor.rule.EmbeddingRules;
import org.gradwire.tensor.rule.device.EmbeddingLookup;
import org.gradwire.tensor.storage.SparseStorage;
import org.jspecify.annotations.Nullable;

/** Embedding lookups with sparse gradients, which contain only the looked-up rows. */
public final class SparseEmbeddings {

    private SparseEmbeddings() {}

    public static Tensor lookUp(Args args) {
        return EmbeddingLookup.embedding(args.tensor(0), args.tensor(1), null);
    }

    /** Return the gradient of a weight from that of the looked-up rows. */
    public static Tensor lookUpGradient(Saved saved, Tensor gradient) {
        Tensor indices = saved.input(1);
        int[] shape = saved.shape(0);
        Tensor columns = TensorAccess.viewAs(Elementwise.copy(indices), 1, indices.numel());
        Tensor values = TensorAccess.reshaped(gradient, indices.numel(), shape[1]);
        Tensor rows = TensorAccess.over(new SparseStorage(columns, values, false), shape);
        return saved.args().flag(2) ? rows : SparseTensors.toDense(rows);
    }

    public static Computed bags(Args args) {
        String mode = args.text(3);
        if (args.flag(5) && mode.equals("max")) {
            throw new IllegalArgumentException(
                    "embedding_bag: max mode does not support sparse weights");
        }
        return EmbeddingRules.forward(
                new Args(
                        new @Nullable Object[] {
                            args.tensor(0),
                            args.tensor(1),
                            args.tensor(2),
                            /* scaleGradByFreq */ false,
                            mode,
                            args.optionalTensor(4),
                            /* includeLastOffset */ false,
                            /* paddingIdx */ null
                        }));
    }

    /** Return the gradient of a weight from those of bags: a row for each index. */
    public static <A> Tensor weightGradient(
            Tensor gradient,
            int[] shape,
            EmbeddingBagInput embeddingBagInput,
            double @Nullable [] factors) {
        int width = shape[1];
        int count = embeddingBagInput.indices.length;
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        var flow = new RowAccess<>(elements, TensorAccess.strided(gradient), width);
        A values = elements.array(Math.multiplyExact(count, width));
        for (int bag = 0; bag < embeddingBagInput.count(); bag++) {
            for (int i = embeddingBagInput.start(bag); i < embeddingBagInput.end(bag); i++) {
                flow.addTo(factors == null ? 1 : factors[i], bag, values, i * width);
            }
        }
        return TensorAccess.over(
                new SparseStorage(
                        SparseTensors.over(
                                DType.INT64, embeddingBagInput.indices.clone(), 1, count),
                        SparseTensors.over(gradient.dtype(), values, count, width),
                        false),
                shape);
    }
}
