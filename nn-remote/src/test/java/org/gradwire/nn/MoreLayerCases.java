package org.gradwire.nn;

import org.gradwire.nn.activation.CELU;
import org.gradwire.nn.activation.ELU;
import org.gradwire.nn.activation.GLU;
import org.gradwire.nn.activation.Hardshrink;
import org.gradwire.nn.activation.Hardswish;
import org.gradwire.nn.activation.Hardtanh;
import org.gradwire.nn.activation.LogSigmoid;
import org.gradwire.nn.activation.Mish;
import org.gradwire.nn.activation.PReLU;
import org.gradwire.nn.activation.ReLU6;
import org.gradwire.nn.activation.SELU;
import org.gradwire.nn.activation.Softmin;
import org.gradwire.nn.activation.Softplus;
import org.gradwire.nn.activation.Softshrink;
import org.gradwire.nn.activation.Softsign;
import org.gradwire.nn.activation.Tanhshrink;
import org.gradwire.nn.activation.Threshold;
import org.gradwire.nn.conv.Conv1d;
import org.gradwire.nn.conv.Conv3d;
import org.gradwire.nn.conv.ConvTranspose1d;
import org.gradwire.nn.conv.ConvTranspose2d;
import org.gradwire.nn.loss.BCELoss;
import org.gradwire.nn.loss.BCEWithLogitsLoss;
import org.gradwire.nn.loss.CosineEmbeddingLoss;
import org.gradwire.nn.loss.CrossEntropyLoss;
import org.gradwire.nn.loss.GaussianNLLLoss;
import org.gradwire.nn.loss.HingeEmbeddingLoss;
import org.gradwire.nn.loss.HuberLoss;
import org.gradwire.nn.loss.KLDivLoss;
import org.gradwire.nn.loss.L1Loss;
import org.gradwire.nn.loss.Loss;
import org.gradwire.nn.loss.MSELoss;
import org.gradwire.nn.loss.MarginRankingLoss;
import org.gradwire.nn.loss.NLLLoss;
import org.gradwire.nn.loss.PoissonNLLLoss;
import org.gradwire.nn.loss.SmoothL1Loss;
import org.gradwire.nn.loss.SoftMarginLoss;
import org.gradwire.nn.loss.TripletMarginLoss;
import org.gradwire.nn.normalization.BatchNorm3d;
import org.gradwire.nn.normalization.InstanceNorm1d;
import org.gradwire.nn.normalization.InstanceNorm2d;
import org.gradwire.nn.normalization.InstanceNorm3d;
import org.gradwire.nn.normalization.InstanceNormConfiguration;
import org.gradwire.nn.pooling.AdaptiveAvgPool1d;
import org.gradwire.nn.pooling.AdaptiveMaxPool2d;
import org.gradwire.nn.pooling.AvgPool1d;
import org.gradwire.nn.pooling.MaxPool1d;
import org.gradwire.nn.transformer.MultiheadAttention.Options;
import org.gradwire.nn.transformer.TransformerConfiguration;
import org.gradwire.nn.transformer.TransformerDecoder;
import org.gradwire.nn.transformer.TransformerDecoderLayer;
import org.gradwire.nn.transformer.TransformerEncoder;
import org.gradwire.nn.transformer.TransformerEncoderLayer;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.List;

/** Cases of functions, convolutions, norms, losses and transformers. */
final class MoreLayerCases {
    private final LayerCases cases;

    private MoreLayerCases(LayerCases cases) {
        this.cases = cases;
    }

    static void addTo(LayerCases cases) {
        var more = new MoreLayerCases(cases);
        more.functions();
        more.convolutions();
        more.norms();
        more.losses();
        more.transformers();
    }

    private void functions() {
        cases.add(
                "more_functions",
                new Sequential(
                        new Linear(3, 4),
                        new Softplus(),
                        new Softplus(0.5, 10),
                        new ELU(0.7),
                        new SELU(),
                        new CELU(0.5),
                        new Hardtanh(-0.6, 0.9),
                        new ReLU6(),
                        new Hardswish(),
                        new LogSigmoid(),
                        new Mish(),
                        new Softsign(),
                        new Tanhshrink(),
                        new Softshrink(0.01),
                        new Hardshrink(0.001),
                        new Threshold(0.1, 0.2),
                        new PReLU(),
                        new GLU(1),
                        new Softmin(1)));
        cases.add("prelu_channels", new PReLU(new PReLU.Configuration(3, 0.1)));
        cases.add(
                "space",
                new Sequential(
                        new PixelShuffle(2),
                        new ZeroPad2d(1, 2, 0, 1),
                        new ReflectionPad2d(1, 0, 2, 1),
                        new ReplicationPad2d(1),
                        new AdaptiveMaxPool2d(new Size2d(4, 3)),
                        new PixelUnshuffle(1),
                        new Unflatten(1, List.of(2, 1))));
        cases.add(
                "rows",
                new Sequential(
                        Conv1d.builder(2, 4, 3).padding(1).build(),
                        new MaxPool1d(2),
                        new AvgPool1d(2).stride(1),
                        new AdaptiveAvgPool1d(3)));
        cases.add(
                "upsample", new Sequential(new Upsample(2, "bilinear", false), new Upsample(1.5)));
        cases.add(
                "upsample_corners",
                new Sequential(),
                (_, in) -> List.of(new Upsample(2.5, "trilinear", true).forward(in.getFirst())));
    }

    private void convolutions() {
        cases.add(
                "conv1d_options",
                Conv1d.builder(4, 6, 3)
                        .stride(2)
                        .padding(2)
                        .dilation(2)
                        .groups(2)
                        .bias(false)
                        .build());
        cases.add("conv3d", new Conv3d(2, 3, 2));
        cases.add(
                "conv3d_options",
                Conv3d.builder(2, 4, new Size3d(2, 1, 3))
                        .stride(new Size3d(1, 2, 1))
                        .padding(new Size3d(1, 0, 2))
                        .dilation(new Size3d(2, 1, 1))
                        .groups(2)
                        .build());
        cases.add(
                "conv_transpose1d",
                ConvTranspose1d.builder(3, 2, 3).stride(2).padding(1).outputPadding(1).build());
        cases.add("conv_transpose2d", new ConvTranspose2d(2, 3, 3));
        cases.add(
                "conv_transpose2d_options",
                ConvTranspose2d.builder(4, 6, new Size2d(3, 2))
                        .stride(new Size2d(2, 1))
                        .padding(new Size2d(1, 0))
                        .outputPadding(new Size2d(1, 0))
                        .groups(2)
                        .bias(false)
                        .dilation(new Size2d(1, 2))
                        .build());
    }

    private void norms() {
        cases.add("batch_norm3d", new BatchNorm3d(2));
        cases.add("instance_norm1d", new InstanceNorm1d(3));
        cases.add(
                "instance_norm2d",
                new InstanceNorm2d(new InstanceNormConfiguration(2, 0.01, true)));
        cases.add(
                "instance_norm3d",
                new InstanceNorm3d(new InstanceNormConfiguration(2, 1e-5, true)));
    }

    private void addLosses(String name, Loss... losses) {
        cases.add(
                name,
                new Sequential(),
                (_, in) ->
                        Arrays.stream(losses)
                                .map(loss -> loss.forward(in.get(0), in.get(1)))
                                .toList());
    }

    private static Tensor on(Tensor place, double... numbers) {
        return Tensor.of(numbers).to(place.device());
    }

    private void losses() {
        addLosses(
                "losses_differences",
                new MSELoss(),
                new MSELoss("none"),
                new L1Loss("sum"),
                new SmoothL1Loss(0.5, "mean"),
                new HuberLoss(0.7, "mean"));
        addLosses(
                "losses_logits",
                new BCEWithLogitsLoss(),
                (x, t) -> new BCEWithLogitsLoss(null, on(x, 1, 2, 0.5), "sum").forward(x, t));
        addLosses(
                "losses_classes",
                new CrossEntropyLoss(),
                new CrossEntropyLoss(null, -100, 0.1, "none"),
                (x, t) -> new NLLLoss(on(x, 1, 2, 0.5), -100, "mean").forward(x, t));
        addLosses(
                "losses_probabilities",
                new BCELoss(),
                (x, t) -> new KLDivLoss(false, "batchmean").forward(x, t.detach()),
                (x, t) -> new PoissonNLLLoss().forward(x, t.detach()));
        addLosses("losses_signs", new HingeEmbeddingLoss(), new SoftMarginLoss("sum"));
        cases.add(
                "losses_pairs",
                new Sequential(),
                (_, in) -> {
                    Tensor a = in.get(0);
                    Tensor b = in.get(1);
                    Tensor signs = in.get(2);
                    return List.of(
                            new CosineEmbeddingLoss(0.1, "mean").forward(a, b, signs),
                            new MarginRankingLoss(0.2, "mean").forward(a, b, signs.view(4, 1)),
                            new TripletMarginLoss().swap(true).forward(a, b, a.mul(0.5).add(1)),
                            new GaussianNLLLoss().forward(a, b, a.mul(a).add(0.1)),
                            new CosineSimilarity().forward(a, b));
                });
    }

    private void transformers() {
        var plain = TransformerConfiguration.of(4, 2).dimFeedforward(5).dropout(0);
        cases.add("encoder_layer", new TransformerEncoderLayer(plain, 1));
        cases.add(
                "encoder_layer_norm_first",
                new TransformerEncoderLayer(
                        plain.activation("gelu").batchFirst(true).normFirst(true), 1));
        cases.add(
                "encoder",
                new TransformerEncoder(new TransformerEncoder.Configuration(plain, 2, true), 1),
                (m, in) -> List.of(m.forward(in.getFirst(), causal(in.getFirst()))));
        cases.add(
                "decoder_layer",
                new TransformerDecoderLayer(plain, 1),
                (m, in) ->
                        List.of(m.forward(in.get(0), in.get(1), causal(in.get(0)), new Options())));
        cases.add(
                "decoder",
                new TransformerDecoder(plain.normFirst(true).batchFirst(true), 2, 1),
                (m, in) -> List.of(m.forward(in.get(0), in.get(1))));
    }

    private static Options causal(Tensor like) {
        Tensor later = Tensor.ones(3, 3).triu(1).gt(0);
        return new Options().withAttnMask(later.to(like.device()));
    }
}
