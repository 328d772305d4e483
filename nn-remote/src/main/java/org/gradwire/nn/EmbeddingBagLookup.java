package org.gradwire.nn;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/** Validates the options of an {@link EmbeddingBag} and looks its bags up. */
final class EmbeddingBagLookup {
    private static final List<String> MODES = List.of("sum", "mean", "max");

    private EmbeddingBagLookup() {}

    static void check(String mode, boolean sparse, boolean scaleGradByFreq) {
        if (!MODES.contains(mode)) {
            throw new IllegalArgumentException(
                    "mode '%s' is none of sum, mean and max".formatted(mode));
        }
        if (sparse && mode.equals("max")) {
            throw new IllegalArgumentException(
                    "max mode does not support sparse weights; take sum or mean, or a dense gradient");
        }
        if (scaleGradByFreq && (sparse || mode.equals("max"))) {
            throw new IllegalArgumentException(
                    "a gradient cannot be scaled by frequency where it is sparse or the mode is max");
        }
    }

    static Tensor lookUp(
            EmbeddingBag.Configuration options,
            Tensor weight,
            Tensor input,
            @Nullable Tensor offsets,
            @Nullable Tensor perSample) {
        EmbeddingTable.renormalize(weight, input, options.maxNorm(), options.normType());
        return options.sparse()
                ? sparse(options, weight, input, offsets, perSample)
                : Ops.embeddingBag(
                        weight,
                        input,
                        offsets,
                        options.scaleGradByFreq(),
                        options.mode(),
                        perSample,
                        options.includeLastOffset() && offsets != null,
                        options.paddingIdx());
    }

    /** Convert the arguments for the operator with a sparse gradient. */
    private static Tensor sparse(
            EmbeddingBag.Configuration options,
            Tensor weight,
            Tensor input,
            @Nullable Tensor offsets,
            @Nullable Tensor perSample) {
        Tensor indices = input.reshape(-1);
        Tensor factors = perSample == null ? null : perSample.reshape(-1);
        Tensor begins = begins(options, input, offsets);
        Integer padding = options.paddingIdx();
        if (padding != null) {
            Tensor kept = EmbeddingTable.kept(indices, padding);
            begins = begins(begins, indices, padding);
            indices = indices.indexSelect(0, kept);
            factors = factors == null ? null : factors.indexSelect(0, kept);
        }
        return Ops.embeddingBag(weight, indices, begins, options.mode(), factors, true);
    }

    /** {@return the offset of each bag} */
    private static Tensor begins(
            EmbeddingBag.Configuration options, Tensor input, @Nullable Tensor offsets) {
        if (offsets != null) {
            return options.includeLastOffset()
                    ? offsets.narrow(0, 0, offsets.size(0) - 1)
                    : offsets;
        }
        if (input.dim() != 2) {
            throw new IllegalArgumentException(
                    "without offsets, indices have to be [bags, length]; got "
                            + Arrays.toString(input.shape()));
        }
        return Tensor.arange(input.size(0)).mul(input.size(1)).to(input.device());
    }

    /** {@return the offset of each bag without the padding indices} */
    private static Tensor begins(Tensor before, Tensor indices, int padding) {
        long[] positions = before.toLongArray();
        long[] all = indices.toLongArray();
        long[] begins = new long[positions.length];
        int kept = 0;
        int bag = 0;
        for (int i = 0; i <= all.length; i++) {
            while (bag < positions.length && positions[bag] == i) {
                begins[bag++] = kept;
            }
            kept += i < all.length && all[i] != padding ? 1 : 0;
        }
        if (bag < positions.length || (bag > 0 && positions[0] != 0)) {
            throw new IllegalArgumentException(
                    "offsets must start at 0, must not decrease and must not exceed the number of indices, %d; they are %s"
                            .formatted(all.length, Arrays.toString(positions)));
        }
        return Tensor.of(begins).to(before.device());
    }
}
