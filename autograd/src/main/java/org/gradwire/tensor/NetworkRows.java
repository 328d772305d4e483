package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.Saved.Keep;

import java.util.List;

/** Operators of neural networks that look things up or slide over images. */
final class NetworkRows {

    /**
     * The gradient of the weight is dense. A sparse one needs a rule of its own here, and nothing
     * else.
     */
    static final OperatorRow EMBEDDING_BAG =
            differentiable(
                            "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, String mode, Tensor? per_sample_weights)",
                            "EmbeddingBagBackward0")
                    .forward(a ->
                            EmbeddingBags.forward(
                                    a.tensor(0),
                                    EmbeddingBags.bags(a.tensor(1), a.tensor(2), a.text(3)),
                                    a.optionalTensor(4)))
                    .keep(Keep.INPUTS)
                    .gradients((s, gs) -> {
                        Tensor g = gs[0];
                        var bags = EmbeddingBags.bags(s.input(1), s.input(2), s.args().text(3));
                        return EmbeddingBags.gradients(s, bags, g);
                    })
                    .samples(s -> {
                        Tensor indices = Tensor.of(1L, 2, 4, 5, 4, 3, 2, 0);
                        Tensor offsets = Tensor.of(0L, 4, 4);
                        return samples(
                                args(s.tensor(6, 3), indices, offsets, "sum", null),
                                args(s.tensor(6, 3), indices, offsets, "mean", null),
                                args(s.tensor(6, 3), indices, offsets, "sum", s.tensor(8)));
                    });

    static final OperatorRow CONV2D =
            differentiable(
                            "aten::conv2d(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding)",
                            "ConvolutionBackward0")
                    .forward(a ->
                            Convolutions.forward(
                                    a.tensor(0),
                                    a.tensor(1),
                                    a.optionalTensor(2),
                                    a.integers(3),
                                    a.integers(4)))
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            (s, g) ->
                                    Convolutions.inputGradient(
                                            g,
                                            s.shape(0),
                                            s.input(1),
                                            s.args().integers(3),
                                            s.args().integers(4)),
                            (s, g) ->
                                    Convolutions.weightGradient(
                                            g,
                                            s.input(0),
                                            s.shape(1),
                                            s.args().integers(3),
                                            s.args().integers(4)),
                            (_, g) -> Reductions.sum(g, new int[] {0, 2, 3}, false))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 2, 4, 5),
                                            s.tensor(3, 2, 3, 3),
                                            s.tensor(3),
                                            new int[] {1, 1},
                                            new int[] {1, 1}),
                                    args(
                                            s.tensor(1, 2, 5, 5),
                                            s.tensor(2, 2, 2, 3),
                                            null,
                                            new int[] {2, 1},
                                            new int[] {0, 2}),
                                    args(
                                            s.tensor(2, 1, 3, 3),
                                            s.tensor(1, 1, 1, 1),
                                            s.tensor(1),
                                            new int[] {2, 2},
                                            new int[] {0, 0})));

    static final List<OperatorRow> ALL = List.of(EMBEDDING_BAG, CONV2D);

    private NetworkRows() {}
}
