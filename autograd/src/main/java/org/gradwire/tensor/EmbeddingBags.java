package org.gradwire.tensor;

import org.gradwire.tensor.Bags.Mode;
import org.gradwire.tensor.OperatorRow.Computed;
import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.BlockReader;
import org.gradwire.tensor.kernel.Cells;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Rows;
import org.gradwire.tensor.kernel.Strided;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Rows of a weight matrix, each by itself or brought together in bags. */
final class EmbeddingBags {

    private EmbeddingBags() {}

    /**
     * What the gradient needs.
     *
     * @param winners with mode max, for each element of the result the row it came from, or -1
     */
    private record Lookup(Bags bags, int[] winners) {}

    /** Checks the weight, and returns an index counted from the end as one from the front. */
    private static @Nullable Integer padding(
            String function, Tensor weight, @Nullable Integer given) {
        if (weight.dims.length != 2) {
            throw new IllegalArgumentException(
                    "%s: 'weight' must be 2-D, got %s".formatted(function, weight.describe()));
        }
        Pools.checkFloating(function, weight);
        int rows = weight.dims[0];
        if (given != null && (given < -rows || given >= rows)) {
            throw new IllegalArgumentException(
                    "%s: padding_idx must be within the number of embeddings, %d through %d, but got %d"
                            .formatted(function, -rows, rows - 1, given));
        }
        return given == null || given >= 0 ? given : Integer.valueOf(given + rows);
    }

    // ---- Single rows.

    static <A> Tensor embedding(Tensor weight, Tensor indices, @Nullable Integer paddingIndex) {
        padding("embedding", weight, paddingIndex);
        Bags.checkIndices("embedding", indices);
        long[] rows = indices.toLongArray();
        Bags.checkRange(rows, weight.dims[0]);
        int width = weight.dims[1];
        Elements<A> elements = weight.dtype().elements();
        Tensor result =
                Tensor.fresh(weight.dtype(), Shapes.with(indices.dims, indices.dims.length, width));
        var table = new Rows<>(elements, weight.strided(), width);
        var out = new Rows<>(elements, result.strided(), width);
        for (int i = 0; i < rows.length; i++) {
            BlockReader<A> row = table.row((int) rows[i]);
            out.set(i, row.array(), row.offset());
        }
        return result;
    }

    static Tensor embeddingGradient(Saved saved, Tensor gradient) {
        int rows = saved.shape(0)[0];
        Integer given = saved.args().optionalInteger(2);
        Integer padding = given == null || given >= 0 ? given : Integer.valueOf(given + rows);
        Tensor flat = saved.input(1).reshaped(saved.input(1).numel(), 1);
        Bags bags = Bags.of(flat, null, "sum", false, padding);
        double[] factors = saved.args().flag(3) ? bags.byFrequency(null, rows) : null;
        Tensor rowsOfGradient = gradient.reshaped(flat.dims[0], saved.shape(0)[1]);
        return weightGradient(rowsOfGradient, saved.shape(0), bags, factors);
    }

    // ---- Bags.

    static Computed forward(Args args) {
        Tensor weight = args.tensor(0);
        Integer padding = padding("embedding_bag", weight, args.optionalInteger(7));
        Tensor perSample = args.optionalTensor(5);
        Bags bags =
                Bags.of(
                        args.tensor(1),
                        args.optionalTensor(2),
                        args.text(4),
                        args.flag(6),
                        padding);
        if (perSample != null) {
            checkPerSample(perSample, args.tensor(1), bags.mode);
        }
        if (args.flag(3) && bags.mode == Mode.MAX) {
            throw new IllegalArgumentException(
                    "embedding_bag: max mode does not support scaling the gradient by the frequency");
        }
        Bags.checkRange(bags.indices, weight.dims[0]);
        int[] winners = new int[bags.mode == Mode.MAX ? bags.count() * weight.dims[1] : 0];
        Tensor result =
                bags.mode == Mode.MAX
                        ? largest(weight, bags, winners)
                        : sums(weight, bags, bags.factors(perSample));
        return new Computed(result, new Lookup(bags, winners));
    }

    private static void checkPerSample(Tensor perSample, Tensor indices, Mode mode) {
        if (mode != Mode.SUM) {
            throw new IllegalArgumentException(
                    "embedding_bag: per_sample_weights go with mode sum only; got mode " + mode);
        }
        if (!Arrays.equals(perSample.dims, indices.dims)) {
            throw new IllegalArgumentException(
                    "embedding_bag: per_sample_weights must have the same shape as the indices; got %s and %s"
                            .formatted(perSample.describe(), indices.describe()));
        }
    }

    private static <A> Tensor sums(Tensor weight, Bags bags, double @Nullable [] factors) {
        int width = weight.dims[1];
        Elements<A> elements = weight.dtype().elements();
        var table = new Rows<>(elements, weight.strided(), width);
        A sums = elements.array(Math.multiplyExact(bags.count(), width));
        for (int bag = 0; bag < bags.count(); bag++) {
            for (int i = bags.start(bag); i < bags.end(bag); i++) {
                double factor = factors == null ? 1 : factors[i];
                table.addTo(factor, (int) bags.indices[i], sums, bag * width);
            }
        }
        return ofArray(weight.dtype(), sums, bags.count(), width);
    }

    private static <A> Tensor ofArray(DType dtype, A numbers, int... shape) {
        Tensor result = Tensor.fresh(dtype, shape);
        Elements<A> elements = dtype.elements();
        Loops.copy(elements, Strided.contiguous(numbers, 0, result.numel()), result.strided());
        return result;
    }

    /** {@return the largest of each column of the rows of a bag: of equal ones the first} */
    private static <A> Tensor largest(Tensor weight, Bags bags, int[] winners) {
        int width = weight.dims[1];
        Elements<A> elements = weight.dtype().elements();
        Tensor result = Tensor.zeros(weight.dtype(), bags.count(), width);
        var table = new Rows<>(elements, weight.strided(), width);
        var cells = new Cells(elements, result.base());
        Arrays.fill(winners, -1);
        for (int bag = 0; bag < bags.count(); bag++) {
            for (int i = bags.start(bag); i < bags.end(bag); i++) {
                int index = (int) bags.indices[i];
                BlockReader<A> row = table.row(index);
                for (int d = 0; d < width; d++) {
                    double value = elements.getDouble(row.array(), row.offset() + d);
                    int at = bag * width + d;
                    if (i == bags.start(bag) || value > cells.get(at)) {
                        cells.set(at, value);
                        winners[at] = index;
                    }
                }
            }
        }
        return result;
    }

    /**
     * Return the gradients of weight, indices, offsets and per-sample weights.
     *
     * @param byFrequency whether rows of the weight's are divided by how often their index occurs
     * @param sparse whether the weight's is sparse; not with mode max
     */
    static @Nullable Tensor[] gradients(
            Saved saved, Tensor gradient, boolean byFrequency, boolean sparse) {
        var lookup = saved.extra(Lookup.class);
        var results = new @Nullable Tensor[4];
        if (saved.needs(0)) {
            int[] shape = saved.shape(0);
            if (lookup.bags.mode == Mode.MAX) {
                results[0] = winnersGradient(gradient, shape, lookup.winners);
            } else {
                double[] factors = factors(saved, lookup.bags, byFrequency);
                results[0] =
                        sparse
                                ? SparseEmbeddings.weightGradient(
                                        gradient, shape, lookup.bags, factors)
                                : weightGradient(gradient, shape, lookup.bags, factors);
            }
        }
        if (saved.needs(3)) {
            results[3] = perSampleGradient(gradient, saved.input(0), lookup.bags, saved.shape(3));
        }
        return results;
    }

    private static double @Nullable [] factors(Saved saved, Bags bags, boolean byFrequency) {
        double[] factors = bags.factors(saved.optionalInput(3));
        return byFrequency ? bags.byFrequency(factors, saved.shape(0)[0]) : factors;
    }

    private static <A> Tensor weightGradient(
            Tensor gradient, int[] shape, Bags bags, double @Nullable [] factors) {
        int width = shape[1];
        Tensor result = Tensor.zeros(gradient.dtype(), shape);
        Elements<A> elements = gradient.dtype().elements();
        var flow = new Rows<>(elements, gradient.strided(), width);
        var table = new Rows<>(elements, result.strided(), width);
        for (int bag = 0; bag < bags.count(); bag++) {
            BlockReader<A> row = flow.row(bag);
            for (int i = bags.start(bag); i < bags.end(bag); i++) {
                double factor = factors == null ? 1 : factors[i];
                table.add(factor, row.array(), row.offset(), (int) bags.indices[i]);
            }
        }
        return result;
    }

    private static Tensor winnersGradient(Tensor gradient, int[] shape, int[] winners) {
        Tensor result = Tensor.zeros(gradient.dtype(), shape);
        var cells = new Cells(result.dtype().elements(), result.base());
        double[] flow = gradient.toDoubleArray();
        for (int at = 0; at < winners.length; at++) {
            if (winners[at] >= 0) {
                cells.add(winners[at] * shape[1] + at % shape[1], flow[at]);
            }
        }
        return result;
    }

    private static <A> Tensor perSampleGradient(
            Tensor gradient, Tensor weight, Bags bags, int[] shape) {
        int width = weight.dims[1];
        Elements<A> elements = gradient.dtype().elements();
        var flow = new Rows<>(elements, gradient.strided(), width);
        var table = new Rows<>(elements, weight.strided(), width);
        A product = elements.array(width);
        A dots = elements.array(bags.given());
        for (int bag = 0; bag < bags.count(); bag++) {
            BlockReader<A> g = flow.row(bag);
            for (int i = bags.start(bag); i < bags.end(bag); i++) {
                BlockReader<A> row = table.row((int) bags.indices[i]);
                elements.binary(
                        Binary.MUL,
                        g.array(),
                        g.offset(),
                        row.array(),
                        row.offset(),
                        product,
                        0,
                        width);
                elements.sum(product, 0, width, dots, bags.position(i));
            }
        }
        return ofArray(gradient.dtype(), dots, shape);
    }
}
