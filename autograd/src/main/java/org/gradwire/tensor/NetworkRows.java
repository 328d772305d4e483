package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.composite;
import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.Refusal.outside;
import static org.gradwire.tensor.Refusal.refusal;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.Saved.Keep;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/** Operators of neural networks that look things up or slide over images. */
final class NetworkRows {

    static final OperatorRow EMBEDDING =
            differentiable(
                            "aten::embedding(Tensor weight, Tensor indices, int? padding_idx, boolean scale_grad_by_freq)",
                            "EmbeddingBackward0")
                    .forward(a ->
                            EmbeddingBags.embedding(a.tensor(0), a.tensor(1), a.optionalInteger(2)))
                    .keep(Keep.inputs(1))
                    .gradient(EmbeddingBags::embeddingGradient)
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "index out of range in self: -1, the weight has 6 rows",
                                            s.tensor(6, 3),
                                            Tensor.of(0, -1),
                                            null,
                                            false),
                                    refusal(
                                            "embedding: padding_idx must be within the number of embeddings, -6 through 5, but got 9",
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

    static final OperatorRow EMBEDDING_BAG =
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
                                            "embedding_bag: per_sample_weights go with mode sum only; got mode MEAN",
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

    static final OperatorRow EMBEDDING_BAG_PADDING =
            differentiable(
                            "aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor? offsets, boolean scale_grad_by_freq, String mode, Tensor? per_sample_weights, boolean include_last_offset, int? padding_idx)",
                            "EmbeddingBagBackward0")
                    .forward(EmbeddingBags::forward)
                    .keep((index, saved) ->
                            (index == 3 && saved.needs(0)) || (index == 0 && saved.needs(3)))
                    .gradients((s, gs) ->
                            EmbeddingBags.gradients(
                                    s, Objects.requireNonNull(gs[0]), s.args().flag(3), false))
                    .refuses(s -> {
                        Tensor i = Tensor.of(0, 2, 1);
                        return List.of(
                                refusal(
                                        "embedding_bag: offsets[0] is 1; they must begin with 0, not fall, and not pass the 3 indices",
                                        bags(
                                                s.tensor(6, 3),
                                                i,
                                                Tensor.of(1, 2),
                                                "sum",
                                                null,
                                                false,
                                                null)),
                                refusal(
                                        "embedding_bag: offsets[2] is 1; they must begin with 0, not fall, and not pass the 3 indices",
                                        bags(
                                                s.tensor(6, 3),
                                                i,
                                                Tensor.of(0, 2, 1),
                                                "sum",
                                                null,
                                                false,
                                                null)),
                                refusal(
                                        "embedding_bag: offsets[1] is 4; they must begin with 0, not fall, and not pass the 3 indices",
                                        bags(
                                                s.tensor(6, 3),
                                                i,
                                                Tensor.of(0, 4),
                                                "sum",
                                                null,
                                                false,
                                                null)),
                                refusal(
                                        "embedding_bag: include_last_offset: number of offsets should be at least 1",
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

    static final OperatorRow CONV2D =
            composite(
                            "aten::conv2d(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding)")
                    .forward(a ->
                            Ops.conv2d(
                                    a.tensor(0),
                                    a.tensor(1),
                                    a.optionalTensor(2),
                                    a.integers(3),
                                    a.integers(4),
                                    of(1),
                                    1))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Given groups=1, weight of size [6, 3, 3, 3], expected input[1, 4, 5, 5] to have 3 channels, but got 4 channels instead",
                                            s.tensor(1, 4, 5, 5),
                                            s.tensor(6, 3, 3, 3),
                                            null,
                                            of(1),
                                            of(0)),
                                    refusal(
                                            "non-positive stride is not supported: [0, 1]",
                                            s.tensor(4, 5, 5),
                                            s.tensor(6, 4, 3, 3),
                                            null,
                                            of(0, 1),
                                            of(0)),
                                    refusal(
                                            "negative padding is not supported: [-1, 0]",
                                            s.tensor(4, 5, 5),
                                            s.tensor(6, 4, 3, 3),
                                            null,
                                            of(1),
                                            of(-1, 0))))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 2, 4, 5),
                                            s.tensor(3, 2, 3, 3),
                                            s.tensor(3),
                                            of(1, 1),
                                            of(1, 1)),
                                    args(
                                            s.tensor(1, 2, 5, 5),
                                            s.tensor(2, 2, 2, 3),
                                            null,
                                            of(2, 1),
                                            of(0, 2)),
                                    args(
                                            s.tensor(2, 1, 3, 3),
                                            s.tensor(1, 1, 1, 1),
                                            s.tensor(1),
                                            of(2, 2),
                                            of(0, 0))));

    static final OperatorRow CONV2D_GROUPS =
            differentiable(
                            "aten::conv2d.groups(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int groups)",
                            "ConvolutionBackward0")
                    .forward(a -> {
                        Tensor x = a.tensor(0);
                        Tensor weight = a.tensor(1);
                        var shape = ConvolutionShape.of(x.dims, weight.dims, a);
                        ConvolutionShape.check(x, weight, a.optionalTensor(2));
                        Tensor batch = batch(x);
                        Tensor result =
                                Convolutions.forward(batch, weight, a.optionalTensor(2), shape);
                        return x.dims.length == 4 ? result : Views.squeeze(result, 0);
                    })
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            (s, g) ->
                                    Convolutions.inputGradient(batch(g), s.input(1), shape(s))
                                            .viewAs(s.shape(0)),
                            (s, g) ->
                                    Convolutions.weightGradient(
                                            batch(g), batch(s.input(0)), shape(s)),
                            (_, g) -> Reductions.sum(batch(g), of(0, 2, 3), false))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Given groups=2, expected weight to be divisible by 2 at dimension 0, but got weight of size [5, 2, 3, 3] instead",
                                            slid(
                                                    s,
                                                    of(1, 4, 5, 5),
                                                    of(5, 2, 3, 3),
                                                    of(1),
                                                    of(0),
                                                    of(1),
                                                    2)),
                                    refusal(
                                            "Calculated padded input size per channel: (5 x 5). Kernel size: (7 x 7). Kernel size can't be greater than actual input size",
                                            slid(
                                                    s,
                                                    of(1, 4, 5, 5),
                                                    of(6, 4, 3, 3),
                                                    of(1),
                                                    of(0),
                                                    of(3),
                                                    1)),
                                    refusal(
                                            "Calculated padded input size per channel: (5 x 5). Kernel size: (2147483649 x 2147483649).",
                                            slid(
                                                    s,
                                                    of(1, 4, 5, 5),
                                                    of(6, 4, 3, 3),
                                                    of(1),
                                                    of(0),
                                                    of(1 << 30),
                                                    1)),
                                    refusal(
                                            "Given weight of size [6, 4, 3, 3], expected bias to be 1-dimensional with 6 elements, but got bias of size [5] instead",
                                            s.tensor(4, 5, 5),
                                            s.tensor(6, 4, 3, 3),
                                            s.tensor(5),
                                            of(1),
                                            of(0),
                                            of(1),
                                            1),
                                    refusal(
                                            "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [4, 4]",
                                            slid(
                                                    s,
                                                    of(4, 4),
                                                    of(6, 4, 3, 3),
                                                    of(1),
                                                    of(0),
                                                    of(1),
                                                    1)),
                                    refusal(
                                            "expected stride to be a single integer value or a list of 2 values to match the convolution dimensions, but got stride=[1, 1, 1]",
                                            slid(
                                                    s,
                                                    of(4, 5, 5),
                                                    of(6, 4, 3, 3),
                                                    of(1, 1, 1),
                                                    of(0),
                                                    of(1),
                                                    1))))
                    .samples(s ->
                            samples(
                                    slid(s, of(2, 4, 5, 6), of(6, 2, 3, 2), of(1), of(1), of(1), 2),
                                    slid(
                                            s,
                                            of(1, 2, 7, 8),
                                            of(3, 2, 3, 2),
                                            of(2, 1),
                                            of(2, 1),
                                            of(2, 3),
                                            1),
                                    slid(s, of(2, 3, 5, 5), of(6, 1, 3, 3), of(2), of(1), of(1), 3),
                                    slid(s, of(2, 6, 6), of(3, 2, 2, 2), of(3), of(0), of(1, 2), 1),
                                    slid(s, of(4, 5, 5), of(4, 1, 3, 3), of(1), of(2), of(2), 4)));

    static final List<OperatorRow> ALL =
            List.of(EMBEDDING, EMBEDDING_BAG, EMBEDDING_BAG_PADDING, CONV2D, CONV2D_GROUPS);

    private NetworkRows() {}

    private static int[] of(int... numbers) {
        return numbers;
    }

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

    private static @Nullable Object[] slid(
            Sampler s,
            int[] input,
            int[] weight,
            int[] stride,
            int[] padding,
            int[] dilation,
            int groups) {
        Tensor bias = groups == 3 ? null : s.tensor(weight[0]);
        return args(s.tensor(input), s.tensor(weight), bias, stride, padding, dilation, groups);
    }

    private static Tensor batch(Tensor image) {
        return image.dims.length == 4 ? image : Views.unsqueeze(image, 0);
    }

    private static ConvolutionShape shape(Saved saved) {
        return ConvolutionShape.of(saved.shape(0), saved.shape(1), saved.args());
    }
}
