package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.composite;
import static org.gradwire.tensor.OperatorRow.differentiable;
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
                    .keep((index, needed) -> (index == 3 && needed[0]) || (index == 0 && needed[3]))
                    .gradients((s, gs) ->
                            EmbeddingBags.gradients(
                                    s, Objects.requireNonNull(gs[0]), s.args().flag(3), false))
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
