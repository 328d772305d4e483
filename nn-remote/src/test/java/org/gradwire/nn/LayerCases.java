package org.gradwire.nn;

import static java.util.Objects.requireNonNull;

import org.gradwire.nn.activation.GELU;
import org.gradwire.nn.activation.LeakyReLU;
import org.gradwire.nn.activation.LogSoftmax;
import org.gradwire.nn.activation.ReLU;
import org.gradwire.nn.activation.SiLU;
import org.gradwire.nn.activation.Sigmoid;
import org.gradwire.nn.activation.Softmax;
import org.gradwire.nn.activation.Tanh;
import org.gradwire.nn.conv.Conv2d;
import org.gradwire.nn.normalization.BatchNorm1d;
import org.gradwire.nn.normalization.BatchNorm2d;
import org.gradwire.nn.normalization.BatchNormConfiguration;
import org.gradwire.nn.normalization.GroupNorm;
import org.gradwire.nn.normalization.LayerNorm;
import org.gradwire.nn.pooling.AdaptiveAvgPool2d;
import org.gradwire.nn.pooling.AvgPool2d;
import org.gradwire.nn.pooling.MaxPool2d;
import org.gradwire.nn.recurrent.GRU;
import org.gradwire.nn.recurrent.LSTM;
import org.gradwire.nn.recurrent.RNN;
import org.gradwire.nn.recurrent.RecurrentOutput;
import org.gradwire.nn.transformer.MultiheadAttention;
import org.gradwire.nn.transformer.MultiheadAttention.Options;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The layers that {@code generate_layers.py} records, made here with the same options. */
final class LayerCases {
    private final Map<String, Case<?>> cases = new LinkedHashMap<>();

    /** Calls a module with recorded inputs. */
    interface Call<M> {
        List<Tensor> of(M module, List<Tensor> inputs);
    }

    /** A layer, and how it is called. */
    record Case<M extends Module>(M module, boolean training, Call<M> call) {
        List<Tensor> forward(List<Tensor> inputs) {
            return call.of(module, inputs);
        }
    }

    /** {@return all cases by the name of their record} */
    static Map<String, Case<?>> all(Map<String, Tensor> records) {
        var all = new LayerCases();
        all.plainLayers();
        all.batchNorms();
        all.tables();
        all.bags();
        all.recurrentLayers();
        all.attention(records);
        MoreLayerCases.addTo(all);
        return all.cases;
    }

    private <M extends Module> void add(String name, M module, boolean training, Call<M> call) {
        cases.put(name, new Case<>(module, training, call));
    }

    <M extends Module> void add(String name, M module, Call<M> call) {
        add(name, module, true, call);
    }

    <M extends Module & Layer> void add(String name, M module) {
        add(name, module, true, (m, in) -> List.of(m.forward(in.getFirst())));
    }

    private void plainLayers() {
        add("linear", new Linear(3, 4));
        add("linear_no_bias", new Linear(new Linear.Configuration(3, 4, false), 1));
        add("bilinear", new Bilinear(3, 4, 2), (m, in) -> List.of(m.forward(in.get(0), in.get(1))));
        add("conv2d", new Conv2d(2, 3, 3));
        add(
                "conv2d_options",
                Conv2d.builder(4, 6, new Size2d(3, 2))
                        .stride(new Size2d(2, 1))
                        .padding(new Size2d(1, 2))
                        .dilation(new Size2d(1, 2))
                        .groups(2)
                        .bias(false)
                        .build());
        add("layer_norm", new LayerNorm(new LayerNorm.Configuration(List.of(3, 4), 1e-5, true)));
        add(
                "layer_norm_plain",
                new LayerNorm(new LayerNorm.Configuration(List.of(4), 0.001, false)));
        add("group_norm", new GroupNorm(2, 4));
        add("dropout_eval", new Dropout(0.3), false, (m, in) -> List.of(m.forward(in.getFirst())));
        add("functions", functions());
        add("images", images());
    }

    private static Sequential functions() {
        return new Sequential(
                new Linear(3, 4),
                new ReLU(),
                new GELU(),
                new GELU("tanh"),
                new Tanh(),
                new Sigmoid(),
                new SiLU(),
                new LeakyReLU(0.2),
                new Identity(),
                new Softmax(1),
                new LogSoftmax(-1));
    }

    private static Sequential images() {
        return new Sequential(
                Conv2d.builder(1, 2, 3).padding(1).build(),
                new MaxPool2d(new Size2d(3, 2)).stride(new Size2d(2, 1)).padding(new Size2d(1, 0)),
                new AvgPool2d(2, 1, 0),
                new AvgPool2d(new Size2d(1, 2)).countIncludePad(false),
                new AdaptiveAvgPool2d(new Size2d(2, 3)),
                new MaxPool2d(2),
                new AdaptiveAvgPool2d(1),
                new Flatten(),
                new Sequential(new Linear(2, 2), new Flatten(0, -1)));
    }

    private void batchNorms() {
        add("batch_norm1d", new BatchNorm1d(3));
        add(
                "batch_norm1d_sequence",
                new BatchNorm1d(BatchNormConfiguration.of(3).momentum(0.3).affine(false)));
        add("batch_norm2d", new BatchNorm2d(BatchNormConfiguration.of(2).eps(0.01)));
        add(
                "batch_norm2d_untracked",
                new BatchNorm2d(BatchNormConfiguration.of(2).trackRunningStats(false)),
                false,
                (m, in) -> List.of(m.forward(in.getFirst())));
        add(
                "batch_norm2d_cumulative",
                new BatchNorm2d(BatchNormConfiguration.of(2).momentum(null)),
                (m, in) -> in.stream().map(m::forward).toList());
        add(
                "batch_norm2d_eval",
                new BatchNorm2d(2),
                false,
                (m, in) -> List.of(m.forward(in.getFirst())));
    }

    private void tables() {
        add("embedding", new Embedding(5, 3));
        add(
                "embedding_options",
                Embedding.builder(5, 3).paddingIdx(-1).scaleGradByFreq(true).build());
        add("embedding_sparse", Embedding.builder(5, 3).paddingIdx(1).sparse(true).build());
        add(
                "embedding_max_norm",
                Embedding.builder(5, 3).maxNorm(0.5).normType(1).build(),
                (m, in) -> List.of(m.forward(in.getFirst()), m.weight().detach()));
    }

    private void bags() {
        for (String mode : List.of("sum", "mean", "max")) {
            addBag("bag_" + mode, EmbeddingBag.builder(5, 3).mode(mode));
            addBag("bag_" + mode + "_padding", EmbeddingBag.builder(5, 3).mode(mode).paddingIdx(4));
        }
        for (String mode : List.of("sum", "mean")) {
            var builder = EmbeddingBag.builder(5, 3).mode(mode).paddingIdx(4).sparse(true);
            addBag("bag_" + mode + "_sparse", builder);
        }
        addBag("bag_rows", EmbeddingBag.builder(5, 3));
        addBag("bag_rows_sparse", EmbeddingBag.builder(5, 3).sparse(true));
        addBag("bag_frequency", EmbeddingBag.builder(5, 3).mode("sum").scaleGradByFreq(true));
        addBag("bag_max_norm", EmbeddingBag.builder(5, 3).maxNorm(0.7));
        var weighted = EmbeddingBag.builder(5, 3).mode("sum").includeLastOffset(true);
        addBag("bag_weighted", weighted);
        addBag("bag_weighted_sparse", weighted.sparse(true).paddingIdx(2));
    }

    private void addBag(String name, EmbeddingBag.Builder builder) {
        add(
                name,
                builder.build(),
                (m, in) ->
                        List.of(
                                switch (in.size()) {
                                    case 1 -> m.forward(in.getFirst());
                                    case 2 -> m.forward(in.getFirst(), in.get(1));
                                    default -> m.forward(in.getFirst(), in.get(1), in.get(2));
                                }));
    }

    private void recurrentLayers() {
        Call<LSTM> lstm =
                (m, in) -> {
                    LSTM.Output result =
                            in.size() == 1
                                    ? m.forward(in.getFirst())
                                    : m.forward(
                                            in.getFirst(), new LSTM.State(in.get(1), in.get(2)));
                    return List.of(result.output(), result.state().h(), result.state().c());
                };
        var noBias = LSTM.builder(3, 4).numLayers(2).bidirectional(true).bias(false);
        add("lstm", new LSTM(3, 4), lstm);
        add("lstm_options", noBias.batchFirst(true).dropout(0.3).build(1), false, lstm);
        add("lstm_single", LSTM.builder(3, 2).bidirectional(true).build(1), lstm);
        Call<GRU> gru =
                (m, in) ->
                        listed(
                                in.size() == 1
                                        ? m.forward(in.getFirst())
                                        : m.forward(in.getFirst(), in.get(1)));
        add("gru", GRU.builder(3, 4).numLayers(2).build(1), gru);
        add("gru_options", GRU.builder(3, 4).batchFirst(true).bidirectional(true).build(1), gru);
        add("rnn", new RNN(3, 4), (m, in) -> listed(m.forward(in.getFirst())));
        add(
                "rnn_relu",
                RNN.builder(3, 4, "relu").numLayers(2).bidirectional(true).build(1),
                (m, in) -> listed(m.forward(in.getFirst(), in.get(1))));
    }

    private static List<Tensor> listed(RecurrentOutput result) {
        return List.of(result.output(), result.hidden());
    }

    private void attention(Map<String, Tensor> records) {
        addAttention("attention", MultiheadAttention.builder(6, 2), new Options());
        addAttention(
                "attention_no_bias",
                MultiheadAttention.builder(6, 3).bias(false).batchFirst(true),
                new Options().withoutWeights());
        addAttention(
                "attention_sizes",
                MultiheadAttention.builder(6, 2).kdim(3).vdim(5),
                new Options().withWeightsOfHeads());
        Tensor later = Tensor.ones(4, 4).triu(1).gt(0);
        addAttention(
                "attention_causal",
                MultiheadAttention.builder(6, 2),
                new Options().withAttnMask(later));
        Tensor padding =
                Tensor.of(
                        new boolean[][] {
                            {false, false, true, false, true}, {false, true, false, false, false}
                        });
        addAttention(
                "attention_masks",
                MultiheadAttention.builder(6, 2),
                new Options()
                        .withAttnMask(requireNonNull(records.get("attention_masks/mask")))
                        .withKeyPaddingMask(padding));
        addAttention("attention_single", MultiheadAttention.builder(6, 2), new Options());
    }

    private void addAttention(String name, MultiheadAttention.Builder builder, Options options) {
        add(
                name,
                builder.build(),
                (m, in) -> {
                    var result = m.forward(in.get(0), in.get(1), in.get(2), options);
                    List<Tensor> all = new ArrayList<>(List.of(result.output()));
                    result.weights().ifPresent(all::add);
                    return all;
                });
    }

    /** {@return tensors whose names differ in a number at the end, from 0 on} */
    static List<Tensor> numbered(Map<String, Tensor> records, String prefix) {
        return IntStream.iterate(0, i -> records.containsKey(prefix + i), i -> i + 1)
                .mapToObj(i -> records.get(prefix + i))
                .toList();
    }
}
