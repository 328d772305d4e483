package org.gradwire.tensor;

import org.gradwire.tensor.kernel.BlockReader;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Strided;
import org.jspecify.annotations.Nullable;

/** Sums and means of rows of a weight matrix, one for each bag of indices. */
final class EmbeddingBags {

    private EmbeddingBags() {}

    /** What to look up. The indices name rows of the weight, bag after bag. */
    static final class Bags {
        final long[] indices;
        private final long[] starts;
        final boolean mean;

        Bags(long[] indices, long[] starts, boolean mean) {
            this.indices = indices;
            this.starts = starts;
            this.mean = mean;
        }

        int count() {
            return starts.length;
        }

        int start(int bag) {
            return (int) starts[bag];
        }

        int end(int bag) {
            return bag + 1 < starts.length ? (int) starts[bag + 1] : indices.length;
        }

        /** {@return what each row of a bag counts for} */
        double share(int bag) {
            return mean ? 1.0 / Math.max(1, end(bag) - start(bag)) : 1;
        }
    }

    static Bags bags(Tensor indices, Tensor offsets, String mode) {
        if (indices.dtype() != DType.INT64 || offsets.dtype() != DType.INT64) {
            throw new IllegalArgumentException(
                    "embedding_bag: expected indices and offsets of int64, got %s and %s"
                            .formatted(indices.describe(), offsets.describe()));
        }
        if (indices.dims.length != 1 || offsets.dims.length != 1) {
            throw new IllegalArgumentException(
                    "embedding_bag: expected vectors of indices and offsets, got %s and %s"
                            .formatted(indices.describe(), offsets.describe()));
        }
        if (!mode.equals("sum") && !mode.equals("mean")) {
            throw new IllegalArgumentException(
                    "embedding_bag: mode has to be one of sum, mean; got " + mode);
        }
        long[] starts = offsets.toLongArray();
        long before = 0;
        for (int bag = 0; bag < starts.length; bag++) {
            boolean fits = bag == 0 ? starts[0] == 0 : starts[bag] >= before;
            if (!fits || starts[bag] > indices.numel()) {
                throw new IllegalArgumentException(
                        "embedding_bag: offsets[%d] is %d; they must begin with 0, not fall, and not pass the %d indices"
                                .formatted(bag, starts[bag], indices.numel()));
            }
            before = starts[bag];
        }
        return new Bags(indices.toLongArray(), starts, mode.equals("mean"));
    }

    static <A> Tensor forward(Tensor weight, Bags bags, @Nullable Tensor perSample) {
        check(weight, bags, perSample);
        int width = weight.dims[1];
        Elements<A> elements = weight.dtype().elements();
        var rows = new BlockReader<>(elements, weight.strided(), width);
        double[] factors = perSample == null ? null : perSample.toDoubleArray();
        A sums = elements.array(bags.count() * width);
        for (int bag = 0; bag < bags.count(); bag++) {
            for (int i = bags.start(bag); i < bags.end(bag); i++) {
                double factor = factors == null ? bags.share(bag) : factors[i];
                rows.load(Math.multiplyExact((int) bags.indices[i], width), width);
                elements.addScaled(factor, rows.array(), rows.offset(), sums, bag * width, width);
            }
        }
        Tensor result = Tensor.fresh(weight.dtype(), new int[] {bags.count(), width});
        Loops.copy(elements, Strided.contiguous(sums, 0, result.numel()), result.strided());
        return result;
    }

    private static void check(Tensor weight, Bags bags, @Nullable Tensor perSample) {
        if (weight.dims.length != 2) {
            throw new IllegalArgumentException(
                    "embedding_bag: expected a weight matrix, got " + weight.describe());
        }
        for (long index : bags.indices) {
            if (index < 0 || index >= weight.dims[0]) {
                throw new IndexOutOfBoundsException(
                        "index out of range in self: %d, the weight has %d rows"
                                .formatted(index, weight.dims[0]));
            }
        }
        if (perSample != null && (bags.mean || perSample.numel() != bags.indices.length)) {
            throw new IllegalArgumentException(
                    "embedding_bag: per_sample_weights go with mode sum, one for each of the %d indices; got %s, mode %s"
                            .formatted(
                                    bags.indices.length,
                                    perSample.describe(),
                                    bags.mean ? "mean" : "sum"));
        }
    }

    /** Return the gradients of weight, indices, offsets and per-sample weights. */
    static @Nullable Tensor[] gradients(Saved saved, Bags bags, @Nullable Tensor gradient) {
        var results = new @Nullable Tensor[4];
        if (gradient == null) {
            return results;
        }
        Tensor perSample = saved.optionalInput(3);
        if (saved.needs(0)) {
            results[0] = weightGradient(gradient, saved.shape(0), bags, perSample);
        }
        if (saved.needs(3)) {
            results[3] = perSampleGradient(gradient, saved.input(0), bags);
        }
        return results;
    }

    private static <A> Tensor weightGradient(
            Tensor gradient, int[] shape, Bags bags, @Nullable Tensor perSample) {
        int width = shape[1];
        Tensor result = Tensor.zeros(gradient.dtype(), shape);
        Elements<A> elements = gradient.dtype().elements();
        var rows = new BlockReader<>(elements, gradient.strided(), width);
        double[] factors = perSample == null ? null : perSample.toDoubleArray();
        for (int bag = 0; bag < bags.count(); bag++) {
            rows.load(bag * width, width);
            for (int i = bags.start(bag); i < bags.end(bag); i++) {
                double factor = factors == null ? bags.share(bag) : factors[i];
                int at = (int) bags.indices[i] * width;
                if (result.isPlainArray()) {
                    elements.addScaled(
                            factor,
                            rows.array(),
                            rows.offset(),
                            elements.cast(result.base()),
                            at,
                            width);
                } else {
                    Loops.addScaled(
                            elements,
                            factor,
                            Strided.contiguous(rows.array(), rows.offset(), width),
                            Strided.contiguous(result.base(), at, width));
                }
            }
        }
        return result;
    }

    private static <A> Tensor perSampleGradient(Tensor gradient, Tensor weight, Bags bags) {
        int width = weight.dims[1];
        Elements<A> elements = gradient.dtype().elements();
        var flow = new BlockReader<>(elements, gradient.strided(), width);
        var rows = new BlockReader<>(elements, weight.strided(), width);
        A product = elements.array(width);
        A dots = elements.array(bags.indices.length);
        for (int bag = 0; bag < bags.count(); bag++) {
            flow.load(bag * width, width);
            for (int i = bags.start(bag); i < bags.end(bag); i++) {
                rows.load((int) bags.indices[i] * width, width);
                elements.binary(
                        org.gradwire.tensor.kernel.Binary.MUL,
                        flow.array(),
                        flow.offset(),
                        rows.array(),
                        rows.offset(),
                        product,
                        0,
                        width);
                elements.sum(product, 0, width, dots, i);
            }
        }
        return Tensor.view(
                new HeapStorage(gradient.dtype(), dots, bags.indices.length, null),
                0,
                new int[] {bags.indices.length},
                new int[] {1});
    }
}
