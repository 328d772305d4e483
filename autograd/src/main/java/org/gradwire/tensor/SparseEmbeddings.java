package org.gradwire.tensor;

import org.gradwire.tensor.OperatorRow.Computed;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Rows;
import org.jspecify.annotations.Nullable;

/** Look-ups of rows whose weight may get a sparse gradient: only the rows that were looked up. */
final class SparseEmbeddings {

    private SparseEmbeddings() {}

    static Tensor lookUp(Args args) {
        return EmbeddingBags.embedding(args.tensor(0), args.tensor(1), null);
    }

    /** Return the gradient of a weight from that of what was looked up. */
    static Tensor lookUpGradient(Saved saved, Tensor gradient) {
        Tensor indices = saved.input(1);
        int[] shape = saved.shape(0);
        Tensor columns = Elementwise.copy(indices).viewAs(1, indices.numel());
        Tensor values = gradient.reshaped(indices.numel(), shape[1]);
        Tensor rows = Tensor.over(new SparseStorage(columns, values, false), shape);
        return saved.args().flag(2) ? rows : SparseTensors.toDense(rows);
    }

    static Computed bags(Args args) {
        String mode = args.text(3);
        if (args.flag(5) && mode.equals("max")) {
            throw new IllegalArgumentException(
                    "embedding_bag: max mode does not support sparse weights");
        }
        return EmbeddingBags.forward(
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
    static <A> Tensor weightGradient(
            Tensor gradient, int[] shape, Bags bags, double @Nullable [] factors) {
        int width = shape[1];
        int count = bags.indices.length;
        Elements<A> elements = gradient.dtype().elements();
        var flow = new Rows<>(elements, gradient.strided(), width);
        A values = elements.array(Math.multiplyExact(count, width));
        for (int bag = 0; bag < bags.count(); bag++) {
            for (int i = bags.start(bag); i < bags.end(bag); i++) {
                flow.addTo(factors == null ? 1 : factors[i], bag, values, i * width);
            }
        }
        return Tensor.over(
                new SparseStorage(
                        SparseTensors.over(DType.INT64, bags.indices.clone(), 1, count),
                        SparseTensors.over(gradient.dtype(), values, count, width),
                        false),
                shape);
    }
}
