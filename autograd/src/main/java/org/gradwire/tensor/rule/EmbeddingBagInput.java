package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Input of an embedding bag: indices of rows of the weight, bag by bag, without padding. */
public final class EmbeddingBagInput {
    public final long[] indices;
    final Mode mode;

    private final int[] starts;
    private final int @Nullable [] positions;
    private final int given;

    /** Reduction of the rows of a bag. */
    enum Mode {
        SUM,
        MEAN,
        MAX;

        static Mode of(String name) {
            return switch (name) {
                case "sum" -> SUM;
                case "mean" -> MEAN;
                case "max" -> MAX;
                default ->
                        throw new IllegalArgumentException(
                                "embedding_bag: mode has to be one of sum, mean or max; got "
                                        + name);
            };
        }
    }

    private EmbeddingBagInput(
            Mode mode, long[] indices, int[] starts, int @Nullable [] positions, int given) {
        this.mode = mode;
        this.indices = indices;
        this.starts = starts;
        this.positions = positions;
        this.given = given;
    }

    /**
     * Read bags.
     *
     * @param offsets start of each bag; null for indices {@code [bags, length]}
     * @param includeLastOffset whether the last offset is where the last bag ends
     * @param padding an index to leave out, or null
     */
    public static EmbeddingBagInput of(
            Tensor indices,
            @Nullable Tensor offsets,
            String mode,
            boolean includeLastOffset,
            @Nullable Integer padding) {
        Mode kind = Mode.of(mode);
        checkIndices("embedding_bag", indices);
        int[] starts =
                offsets == null ? ofRows(indices) : ofOffsets(indices, offsets, includeLastOffset);
        var embeddingBagInput =
                new EmbeddingBagInput(kind, indices.toLongArray(), starts, null, indices.numel());
        return padding == null ? embeddingBagInput : embeddingBagInput.without(padding);
    }

    /** Check the type of indices into a weight. */
    public static void checkIndices(String function, Tensor indices) {
        if (indices.dtype() != DType.INT64) {
            throw new IllegalArgumentException(
                    "%s: Expected tensor for argument #1 'indices' to have scalar type Long; but got %s"
                            .formatted(function, TensorAccess.describe(indices)));
        }
    }

    /** Check that indices name rows of a weight. */
    public static void checkRange(long[] indices, int rows) {
        for (long index : indices) {
            if (index < 0 || index >= rows) {
                throw new IndexOutOfBoundsException(
                        "index out of range in self: %d, the weight has %d rows"
                                .formatted(index, rows));
            }
        }
    }

    private static int[] ofRows(Tensor indices) {
        if (TensorAccess.dims(indices).length != 2) {
            throw new IllegalArgumentException(
                    "embedding_bag: without offsets, indices have to be [bags, length]; got "
                            + TensorAccess.describe(indices));
        }
        int[] starts = new int[TensorAccess.dims(indices)[0] + 1];
        Arrays.setAll(starts, bag -> bag * TensorAccess.dims(indices)[1]);
        return starts;
    }

    private static int[] ofOffsets(Tensor indices, Tensor offsets, boolean includeLastOffset) {
        if (offsets.dtype() != DType.INT64
                || TensorAccess.dims(indices).length != 1
                || TensorAccess.dims(offsets).length != 1) {
            throw new IllegalArgumentException(
                    "embedding_bag: expected vectors of int64 indices and offsets, or indices [bags, length] and no offsets; got %s and %s"
                            .formatted(
                                    TensorAccess.describe(indices),
                                    TensorAccess.describe(offsets)));
        }
        long[] given = offsets.toLongArray();
        if (includeLastOffset && given.length == 0) {
            throw new IllegalArgumentException(
                    "embedding_bag: includeLastOffset: number of offsets should be at least 1");
        }
        int length = indices.numel();
        long before = 0;
        for (int i = 0; i < given.length; i++) {
            if (given[i] < before || (i == 0 && given[0] != 0) || given[i] > length) {
                throw new IllegalArgumentException(
                        "embedding_bag: offsets[%d] is %d; offsets must start at 0, must not decrease and must not exceed the number of indices, %d"
                                .formatted(i, given[i], length));
            }
            before = given[i];
        }
        int[] starts = new int[includeLastOffset ? given.length : given.length + 1];
        Arrays.setAll(starts, i -> i < given.length ? (int) given[i] : length);
        return starts;
    }

    private EmbeddingBagInput without(int padding) {
        int kept = 0;
        int[] newStarts = new int[starts.length];
        int[] newPositions = new int[indices.length];
        long[] newIndices = new long[indices.length];
        for (int bag = 0; bag < count(); bag++) {
            newStarts[bag] = kept;
            for (int i = start(bag); i < end(bag); i++) {
                if (indices[i] != padding) {
                    newPositions[kept] = i;
                    newIndices[kept++] = indices[i];
                }
            }
        }
        newStarts[count()] = kept;
        return new EmbeddingBagInput(
                mode, Arrays.copyOf(newIndices, kept), newStarts, newPositions, given);
    }

    public int count() {
        return starts.length - 1;
    }

    public int start(int bag) {
        return starts[bag];
    }

    public int end(int bag) {
        return starts[bag + 1];
    }

    /** {@return the number of indices, including padding} */
    public int given() {
        return given;
    }

    /** {@return whether no index was left out} */
    public boolean isWhole() {
        return positions == null;
    }

    /** {@return the original position of an index} */
    public int position(int i) {
        return positions == null ? i : positions[i];
    }

    /** {@return the weight of each row: its own, or its share in the mean; null when that is 1} */
    double @Nullable [] factors(@Nullable Tensor perSample) {
        if (perSample == null && mode != Mode.MEAN) {
            return null;
        }
        double[] own = perSample == null ? null : perSample.toDoubleArray();
        double[] factors = new double[indices.length];
        for (int bag = 0; bag < count(); bag++) {
            double share = 1.0 / Math.max(1, end(bag) - start(bag));
            for (int i = start(bag); i < end(bag); i++) {
                factors[i] = own == null ? share : own[position(i)];
            }
        }
        return factors;
    }

    /** {@return the factors, each divided by how often its index occurs} */
    public double[] byFrequency(double @Nullable [] factors, int rows) {
        int[] occurrences = new int[rows];
        for (long index : indices) {
            occurrences[(int) index]++;
        }
        double[] scaled = new double[indices.length];
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] = (factors == null ? 1 : factors[i]) / occurrences[(int) indices[i]];
        }
        return scaled;
    }
}
