package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.rule.EmbeddingRules;
import org.gradwire.tensor.rule.device.EmbeddingLookup;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/** Embedding lookups. */
@OperatorFamily
public final class EmbeddingRows {
    /**
     * Look up rows of a weight; the result has the shape of the indices and the row length.
     *
     * @param paddingIdx an index whose row gets no gradient; null for none
     * @param scaleGradByFreq whether gradients are divided by how often their index occurs
     */
    public static final OperatorRow EMBEDDING =
            differentiable(
                            "aten::embedding(Tensor weight, Tensor indices, int? padding_idx, boolean scale_grad_by_freq)",
                            "EmbeddingBackward0")
                    .forward(a ->
                            EmbeddingLookup.lookup(a.tensor(0), a.tensor(1), a.optionalInteger(2)))
                    .keep(Keep.inputs(1))
                    .gradient(EmbeddingLookup::gradient)
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "index out of range in self: -1, the weight has 6 rows",
                                            s.tensor(6, 3),
                                            Tensor.of(0, -1),
                                            null,
                                            false),
                                    refusal(
                                            "embedding: paddingIdx must be within the number of embeddings, -6 through 5, but got 9",
                                            s.tensor(6, 3),
                                            Tensor.of(0),
                                            9,
                                            false),
                                    refusal(
                                            "embedding: Expected tensor for argument #1 'indices' to have scalar type Long; but got float64[1]",
                                            s.tensor(6, 3),
                                            s.tensor(1),
                                            null,
                                            false),
                                    refusal(
                                            "embedding: 'weight' must be 2-D, got float64[6]",
                                            s.tensor(6),
                                            Tensor.of(0),
                                            null,
                                            false)))
                    .samples(s -> {
                        Tensor indices = Tensor.of(new long[] {1, 2, 4, 2, 0, 2}, 2, 3);
                        return samples(
                                args(s.tensor(6, 3), indices, null, false),
                                args(s.tensor(6, 3), indices, 3, false),
                                args(s.transposed(6, 3), Tensor.scalar(5), null, false));
                    });

    /**
     * Sum or average rows of a weight: bag {@code i} is {@code indices[offsets[i]]} up to the next
     * offset.
     *
     * @param mode {@code sum} or {@code mean}
     * @param perSampleWeights a factor for each index, with mode {@code sum} only
     */
    public static final OperatorRow EMBEDDING_BAG =
            composite(
                            "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, String mode, Tensor? per_sample_weights)")
                    .forward(a ->
                            Ops.embeddingBag(
                                    a.tensor(0),
                                    a.tensor(1),
                                    a.tensor(2),
                                    false,
                                    a.text(3),
                                    a.optionalTensor(4),
                                    false,
                                    null))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "embedding_bag: mode has to be one of sum, mean or max; got most",
                                            s.tensor(6, 3),
                                            Tensor.of(0),
                                            Tensor.of(0),
                                            "most",
                                            null),
                                    refusal(
                                            "embedding_bag: perSampleWeights go with mode sum only; got mode MEAN",
                                            s.tensor(6, 3),
                                            Tensor.of(0),
                                            Tensor.of(0),
                                            "mean",
                                            s.tensor(1)),
                                    outside(
                                            "index out of range in self: 6, the weight has 6 rows",
                                            s.tensor(6, 3),
                                            Tensor.of(6),
                                            Tensor.of(0),
                                            "sum",
                                            null)))
                    .samples(s -> {
                        Tensor indices = Tensor.of(1L, 2, 4, 5, 4, 3, 2, 0);
                        Tensor offsets = Tensor.of(0L, 4, 4);
                        return samples(
                                args(s.tensor(6, 3), indices, offsets, "sum", null),
                                args(s.tensor(6, 3), indices, offsets, "mean", null),
                                args(s.tensor(6, 3), indices, offsets, "sum", s.tensor(8)));
                    });

    /**
     * As {@link Ops#embeddingBag(Tensor, Tensor, Tensor, String, Tensor)}, in full. The result of
     * an empty bag is zero.
     *
     * @param offsets where each bag begins; null for indices {@code [bags, length]}
     * @param scaleGradByFreq whether gradients are divided by how often their index occurs
     * @param mode {@code sum}, {@code mean} or {@code max}
     * @param perSampleWeights of the shape of the indices, with mode {@code sum} only
     * @param includeLastOffset whether the last offset is where the last bag ends
     * @param paddingIdx an index that is left out; null for none
     */
    public static final OperatorRow EMBEDDING_BAG_PADDING =
            differentiable(
                            "aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor? offsets, boolean scale_grad_by_freq, String mode, Tensor? per_sample_weights, boolean include_last_offset, int? padding_idx)",
                            "EmbeddingBagBackward0")
                    .forward(EmbeddingRules::forward)
                    .keep((index, saved) ->
                            (index == 3 && saved.needs(0)) || (index == 0 && saved.needs(3)))
                    .gradients((s, gs) ->
                            EmbeddingRules.gradients(
                                    s, Objects.requireNonNull(gs[0]), s.args().flag(3), false))
                    .refuses(s -> {
                        Tensor i = Tensor.of(0, 2, 1);
                        return List.of(
                                refusal(
                                        "embedding_bag: offsets[0] is 1; offsets must start at 0, must not decrease and must not exceed the number of indices, 3",
                                        bags(
                                                s.tensor(6, 3),
                                                i,
                                                Tensor.of(1, 2),
                                                "sum",
                                                null,
                                                false,
                                                null)),
                                refusal(
                                        "embedding_bag: offsets[2] is 1; offsets must start at 0, must not decrease and must not exceed the number of indices, 3",
                                        bags(
                                                s.tensor(6, 3),
                                                i,
                                                Tensor.of(0, 2, 1),
                                                "sum",
                                                null,
                                                false,
                                                null)),
                                refusal(
                                        "embedding_bag: offsets[1] is 4; offsets must start at 0, must not decrease and must not exceed the number of indices, 3",
                                        bags(
                                                s.tensor(6, 3),
                                                i,
                                                Tensor.of(0, 4),
                                                "sum",
                                                null,
                                                false,
                                                null)),
                                refusal(
                                        "embedding_bag: includeLastOffset: number of offsets should be at least 1",
                                        bags(
                                                s.tensor(6, 3),
                                                i,
                                                Tensor.zeros(DType.INT64, 0),
                                                "sum",
                                                null,
                                                true,
                                                null)),
                                refusal(
                                        "embedding_bag: without offsets, indices have to be [bags, length]; got int64[3]",
                                        bags(s.tensor(6, 3), i, null, "sum", null, false, null)),
                                refusal(
                                        "embedding_bag: max mode does not support scaling the gradient by the frequency",
                                        s.tensor(6, 3),
                                        i,
                                        Tensor.of(0),
                                        true,
                                        "max",
                                        null,
                                        false,
                                        null));
                    })
                    .samples(s -> {
                        Tensor i = Tensor.of(1L, 2, 4, 5, 4, 3, 2, 0);
                        Tensor rows = i.view(2, 4);
                        Tensor offsets = Tensor.of(0L, 4, 4);
                        Tensor ends = Tensor.of(0L, 3, 3, 8);
                        return samples(
                                bags(s.tensor(6, 3), i, offsets, "max", null, false, null),
                                bags(s.tensor(6, 3), i, offsets, "max", null, false, 4),
                                bags(s.tensor(6, 3), rows, null, "max", null, false, null),
                                bags(s.tensor(6, 3), rows, null, "mean", null, false, 2),
                                bags(
                                        s.tensor(6, 3),
                                        rows,
                                        null,
                                        "sum",
                                        s.tensor(2, 4),
                                        false,
                                        null),
                                bags(s.tensor(6, 3), i, ends, "sum", s.tensor(8), true, -2),
                                bags(s.tensor(6, 3), i, ends, "mean", null, true, null),
                                bags(s.transposed(6, 3), i, offsets, "sum", null, false, null));
                    });

    private EmbeddingRows() {}

    private static @Nullable Object[] bags(
            Tensor weight,
            Tensor indices,
            @Nullable Tensor offsets,
            String mode,
            @Nullable Tensor perSample,
            boolean includeLast,
            @Nullable Integer padding) {
        return args(weight, indices, offsets, false, mode, perSample, includeLast, padding);
    }
}
