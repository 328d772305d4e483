package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.RowAccess;
import org.gradwire.tensor.kernel.ScalarAccess;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.operator.Args;
import org.gradwire.tensor.operator.OperatorRow.Computed;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.EmbeddingBagInput.Mode;
import org.gradwire.tensor.rule.device.DeviceBags;
import org.gradwire.tensor.sparse.SparseEmbeddings;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Embedding lookups of bags of rows. */
public final class EmbeddingRules {

    private EmbeddingRules() {}

    /**
     * Values saved for the gradient.
     *
     * @param winners with mode max, for each element of the result the row it came from, or -1
     * @param winnersThere the same of a result on a device
     * @param there the bags on the device of the weight, with another mode
     */
    private record Lookup(
            EmbeddingBagInput embeddingBagInput,
            int[] winners,
            @Nullable Tensor winnersThere,
            @Nullable DeviceBags there) {
        int[] onHost() {
            return winnersThere == null
                    ? winners
                    : Arrays.stream(winnersThere.toLongArray())
                            .mapToInt(Math::toIntExact)
                            .toArray();
        }
    }

    /** Checks the weight, and returns an index counted from the end as one from the front. */
    public static @Nullable Integer padding(
            String function, Tensor weight, @Nullable Integer given) {
        if (TensorAccess.dims(weight).length != 2) {
            throw new IllegalArgumentException(
                    "%s: 'weight' must be 2-D, got %s"
                            .formatted(function, TensorAccess.describe(weight)));
        }
        PoolingRules.checkFloating(function, weight);
        int rows = TensorAccess.dims(weight)[0];
        if (given != null && (given < -rows || given >= rows)) {
            throw new IllegalArgumentException(
                    "%s: paddingIdx must be within the number of embeddings, %d through %d, but got %d"
                            .formatted(function, -rows, rows - 1, given));
        }
        return given == null || given >= 0 ? given : Integer.valueOf(given + rows);
    }

    public static Computed forward(Args args) {
        Tensor weight = args.tensor(0);
        Integer padding = padding("embedding_bag", weight, args.optionalInteger(7));
        Tensor perSample = args.optionalTensor(5);
        EmbeddingBagInput embeddingBagInput =
                EmbeddingBagInput.of(
                        args.tensor(1),
                        args.optionalTensor(2),
                        args.text(4),
                        args.flag(6),
                        padding);
        if (perSample != null) {
            checkPerSample(perSample, args.tensor(1), embeddingBagInput.mode);
        }
        if (args.flag(3) && embeddingBagInput.mode == Mode.MAX) {
            throw new IllegalArgumentException(
                    "embedding_bag: max mode does not support scaling the gradient by the frequency");
        }
        EmbeddingBagInput.checkRange(embeddingBagInput.indices, TensorAccess.dims(weight)[0]);
        DeviceBags there = DeviceBags.of(embeddingBagInput, weight, args.tensor(1));
        return there == null
                ? onHost(weight, embeddingBagInput, perSample)
                : onDevice(weight, there, perSample);
    }

    private static Computed onHost(
            Tensor weight, EmbeddingBagInput embeddingBagInput, @Nullable Tensor perSample) {
        boolean isMax = embeddingBagInput.mode == Mode.MAX;
        int[] winners =
                new int[isMax ? embeddingBagInput.count() * TensorAccess.dims(weight)[1] : 0];
        Tensor result =
                isMax
                        ? largest(weight, embeddingBagInput, winners)
                        : sums(weight, embeddingBagInput, embeddingBagInput.factors(perSample));
        return new Computed(result, new Lookup(embeddingBagInput, winners, null, null));
    }

    private static Computed onDevice(Tensor weight, DeviceBags there, @Nullable Tensor perSample) {
        EmbeddingBagInput bags = there.bags();
        if (bags.mode != Mode.MAX) {
            Tensor sums = there.sums(weight, bags.factors(perSample));
            there.keep();
            return new Computed(sums, new Lookup(bags, new int[0], null, there));
        }
        Tensor winners = there.winners(weight);
        TensorAccess.storage(winners).escape(); // the gradient needs them
        return new Computed(
                there.largest(weight, winners), new Lookup(bags, new int[0], winners, null));
    }

    private static void checkPerSample(Tensor perSample, Tensor indices, Mode mode) {
        if (mode != Mode.SUM) {
            throw new IllegalArgumentException(
                    "embedding_bag: perSampleWeights go with mode sum only; got mode " + mode);
        }
        if (!Arrays.equals(TensorAccess.dims(perSample), TensorAccess.dims(indices))) {
            throw new IllegalArgumentException(
                    "embedding_bag: perSampleWeights must have the same shape as the indices; got %s and %s"
                            .formatted(
                                    TensorAccess.describe(perSample),
                                    TensorAccess.describe(indices)));
        }
    }

    private static <A> Tensor sums(
            Tensor weight, EmbeddingBagInput embeddingBagInput, double @Nullable [] factors) {
        int width = TensorAccess.dims(weight)[1];
        Elements<A> elements = DTypeAccess.elements(weight.dtype());
        var table = new RowAccess<>(elements, TensorAccess.strided(weight), width);
        A sums = elements.array(Math.multiplyExact(embeddingBagInput.count(), width));
        for (int bag = 0; bag < embeddingBagInput.count(); bag++) {
            for (int i = embeddingBagInput.start(bag); i < embeddingBagInput.end(bag); i++) {
                double factor = factors == null ? 1 : factors[i];
                table.addTo(factor, (int) embeddingBagInput.indices[i], sums, bag * width);
            }
        }
        return ofArray(weight.dtype(), sums, embeddingBagInput.count(), width);
    }

    private static <A> Tensor ofArray(DType dtype, A numbers, int... shape) {
        Tensor result = TensorAccess.fresh(dtype, shape);
        Elements<A> elements = DTypeAccess.elements(dtype);
        StridedLoops.copy(
                elements,
                Strided.contiguous(numbers, 0, result.numel()),
                TensorAccess.strided(result));
        return result;
    }

    /** {@return the largest of each column of the rows of a bag: of equal ones the first} */
    private static <A> Tensor largest(
            Tensor weight, EmbeddingBagInput embeddingBagInput, int[] winners) {
        int width = TensorAccess.dims(weight)[1];
        Elements<A> elements = DTypeAccess.elements(weight.dtype());
        Tensor result = Tensor.zeros(weight.dtype(), embeddingBagInput.count(), width);
        var table = new RowAccess<>(elements, TensorAccess.strided(weight), width);
        var scalarAccess = new ScalarAccess(elements, TensorAccess.base(result));
        Arrays.fill(winners, -1);
        for (int bag = 0; bag < embeddingBagInput.count(); bag++) {
            for (int i = embeddingBagInput.start(bag); i < embeddingBagInput.end(bag); i++) {
                int index = (int) embeddingBagInput.indices[i];
                BlockReader<A> row = table.row(index);
                for (int d = 0; d < width; d++) {
                    double value = elements.getDouble(row.array(), row.offset() + d);
                    int at = bag * width + d;
                    if (i == embeddingBagInput.start(bag) || value > scalarAccess.get(at)) {
                        scalarAccess.set(at, value);
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
    public static @Nullable Tensor[] gradients(
            Saved saved, Tensor gradient, boolean byFrequency, boolean sparse) {
        var lookup = saved.extra(Lookup.class);
        var results = new @Nullable Tensor[4];
        if (saved.needs(0)) {
            int[] shape = saved.shape(0);
            if (lookup.embeddingBagInput.mode == Mode.MAX) {
                results[0] = winnersGradient(gradient, shape, lookup);
            } else {
                double[] factors = factors(saved, lookup.embeddingBagInput, byFrequency);
                results[0] = weightGradient(gradient, shape, lookup, factors, sparse);
            }
        }
        if (saved.needs(3)) {
            results[3] = perSampleGradient(gradient, saved.input(0), lookup, saved.shape(3));
        }
        return results;
    }

    private static double @Nullable [] factors(
            Saved saved, EmbeddingBagInput embeddingBagInput, boolean byFrequency) {
        double[] factors = embeddingBagInput.factors(saved.optionalInput(3));
        return byFrequency ? embeddingBagInput.byFrequency(factors, saved.shape(0)[0]) : factors;
    }

    private static Tensor weightGradient(
            Tensor gradient,
            int[] shape,
            Lookup lookup,
            double @Nullable [] factors,
            boolean sparse) {
        if (sparse) {
            return SparseEmbeddings.weightGradient(
                    gradient, shape, lookup.embeddingBagInput, factors);
        }
        return lookup.there == null
                ? weightGradient(gradient, shape, lookup.embeddingBagInput, factors)
                : lookup.there.weightGradient(gradient, shape, factors);
    }

    /** Return the gradient of a weight, computed on the host. */
    public static <A> Tensor weightGradient(
            Tensor gradient,
            int[] shape,
            EmbeddingBagInput embeddingBagInput,
            double @Nullable [] factors) {
        int width = shape[1];
        Tensor result = Tensor.zeros(gradient.dtype(), shape);
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        var flow = new RowAccess<>(elements, TensorAccess.strided(gradient), width);
        var table = new RowAccess<>(elements, TensorAccess.strided(result), width);
        for (int bag = 0; bag < embeddingBagInput.count(); bag++) {
            BlockReader<A> row = flow.row(bag);
            for (int i = embeddingBagInput.start(bag); i < embeddingBagInput.end(bag); i++) {
                double factor = factors == null ? 1 : factors[i];
                table.add(factor, row.array(), row.offset(), (int) embeddingBagInput.indices[i]);
            }
        }
        return result;
    }

    private static Tensor winnersGradient(Tensor gradient, int[] shape, Lookup lookup) {
        Tensor there =
                lookup.winnersThere == null
                        ? null
                        : DeviceBags.winnersGradient(gradient, lookup.winnersThere, shape);
        return there == null ? winnersGradient(gradient, shape, lookup.onHost()) : there;
    }

    private static Tensor winnersGradient(Tensor gradient, int[] shape, int[] winners) {
        Tensor result = Tensor.zeros(gradient.dtype(), shape);
        var scalarAccess =
                new ScalarAccess(DTypeAccess.elements(result.dtype()), TensorAccess.base(result));
        double[] flow = gradient.toDoubleArray();
        for (int at = 0; at < winners.length; at++) {
            if (winners[at] >= 0) {
                scalarAccess.add(winners[at] * shape[1] + at % shape[1], flow[at]);
            }
        }
        return result;
    }

    private static <A> Tensor perSampleGradient(
            Tensor gradient, Tensor weight, Lookup lookup, int[] shape) {
        if (lookup.there != null) {
            return lookup.there.perSampleGradient(gradient, weight, shape);
        }
        EmbeddingBagInput embeddingBagInput = lookup.embeddingBagInput;
        int width = TensorAccess.dims(weight)[1];
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        var flow = new RowAccess<>(elements, TensorAccess.strided(gradient), width);
        var table = new RowAccess<>(elements, TensorAccess.strided(weight), width);
        A product = elements.array(width);
        A dots = elements.array(embeddingBagInput.given());
        for (int bag = 0; bag < embeddingBagInput.count(); bag++) {
            BlockReader<A> g = flow.row(bag);
            for (int i = embeddingBagInput.start(bag); i < embeddingBagInput.end(bag); i++) {
                BlockReader<A> row = table.row((int) embeddingBagInput.indices[i]);
                elements.binary(
                        Binary.MUL,
                        g.array(),
                        g.offset(),
                        row.array(),
                        row.offset(),
                        product,
                        0,
                        width);
                elements.sum(product, 0, width, dots, embeddingBagInput.position(i));
            }
        }
        return ofArray(gradient.dtype(), dots, shape);
    }
}
