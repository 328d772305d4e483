package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.activation.PReLU;
import org.gradwire.nn.internal.ConfigurationConstructors;
import org.gradwire.nn.internal.ConstructionLimit;
import org.gradwire.nn.normalization.BatchNorm1d;
import org.gradwire.nn.normalization.GroupNorm;
import org.gradwire.nn.normalization.InstanceNorm1d;
import org.gradwire.nn.normalization.InstanceNormConfiguration;
import org.gradwire.nn.normalization.LayerNorm;
import org.gradwire.nn.pooling.AdaptiveAvgPool1d;
import org.gradwire.nn.pooling.AdaptiveAvgPool2d;
import org.gradwire.nn.pooling.AdaptiveMaxPool2d;
import org.gradwire.nn.recurrent.LSTM;
import org.gradwire.nn.recurrent.RNN;
import org.gradwire.nn.recurrent.RecurrentConfiguration;
import org.gradwire.nn.transformer.MultiheadAttention;
import org.gradwire.nn.transformer.TransformerConfiguration;
import org.gradwire.nn.transformer.TransformerDecoder;
import org.gradwire.nn.transformer.TransformerEncoder;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Configurations, which peers may send, of more layers or elements than there can be. */
@Timeout(60)
class LayerLimitsTest {
    private static final int HUGE = Integer.MAX_VALUE;
    private static final Tensor ROW = Tensor.ones(1, 2, 6);
    private static final Tensor IMAGE = Tensor.ones(1, 2, 6, 6);
    private static final TransformerConfiguration SMALL =
            TransformerConfiguration.of(1, 1).dimFeedforward(1);

    private static Arguments row(String text, Executable action) {
        return Arguments.of(text, action);
    }

    static Stream<Arguments> layers() {
        String text = "numLayers should be at most 4096, got ";
        return Stream.of(
                row(text + HUGE, () -> LSTM.builder(1, 1).numLayers(HUGE).configuration()),
                row(text + 4097, () -> new TransformerEncoder.Configuration(SMALL, 4097, false)),
                row(text + HUGE, () -> new TransformerDecoder.Configuration(SMALL, HUGE, false)));
    }

    static Stream<Arguments> elements() {
        return Stream.of(
                row("[4294967296]", () -> new LSTM(1, 1 << 30)),
                row("[8589934588]", () -> new LSTM(1, HUGE)),
                row("[3221225472]", () -> new MultiheadAttention(1 << 30, 1)),
                row("[2147483647, 2]", () -> new Embedding(HUGE, 2)),
                row("[1, 2, 2147483647]", () -> new Upsample(1e300).forward(ROW)),
                row(
                        "[1, 2, 6000000, 6000000]",
                        () -> new Upsample(1e6, "bilinear", false).forward(IMAGE)),
                row("[1, 2, 2147483647]", () -> new AdaptiveAvgPool1d(HUGE).forward(ROW)),
                row("[1, 2, 65536, 65536]", () -> new AdaptiveAvgPool2d(1 << 16).forward(IMAGE)),
                row("[1, 2, 65536, 65536]", () -> new AdaptiveMaxPool2d(1 << 16).forward(IMAGE)),
                row("[4294967300, 4294967300]", () -> new ReplicationPad2d(HUGE).forward(IMAGE)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"layers", "elements"})
    void whatIsTooMuchIsRefusedBeforeItIsMade(String text, Executable action) {
        var e = assertThrows(IllegalArgumentException.class, action);
        assertTrue(String.valueOf(e.getMessage()).contains(text), e::getMessage);
    }

    @Test
    void asManyLayersAsAreAllowedCanBeMade() {
        var layers = new RNN(new RNN.Configuration(deepest(), "tanh"), 7);
        assertEquals(4 * 4096, layers.parameters().size());
    }

    private static RecurrentConfiguration deepest() {
        return LSTM.builder(1, 1).numLayers(4096).configuration();
    }

    static Stream<Supplier<Module>> large() {
        return Stream.of(
                () -> new Linear(new Linear.Configuration(1000, 1000, true)),
                () -> new LayerNorm(1_000_000),
                () -> new BatchNorm1d(1_000_000),
                () -> new GroupNorm(1, 1_000_000),
                () -> new InstanceNorm1d(new InstanceNormConfiguration(1_000_000, 1e-5, true)),
                () -> new PReLU(new PReLU.Configuration(1_000_000, 0.25)),
                () -> new Embedding(Embedding.builder(1000, 1000).configuration()),
                () -> ConfigurationConstructors.create(LSTM.class, deepest()),
                () ->
                        ConfigurationConstructors.create(
                                TransformerEncoder.class,
                                new TransformerEncoder.Configuration(SMALL, 4096, false)));
    }

    @ParameterizedTest
    @MethodSource("large")
    void constructorsKeepALimit(Supplier<Module> constructor) {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> ConstructionLimit.within(1_000_000, constructor::get));
        assertEquals(
                "its modules and tensors take more than 1000000 bytes, the limit for the state sent with it",
                e.getMessage());
        assertTrue(
                ConstructionLimit.within(200_000_000, constructor::get).parameters().stream()
                        .allMatch(Tensor::isLeaf));
    }

    @Test
    void registeredTensorsCountHoweverTheyWereMade() {
        class Own extends Module {
            Own(List<Tensor> tensors) {
                registerParameter("weight", tensors.getFirst());
                registerBuffer("mean", tensors.getLast());
            }
        }
        List<Tensor> tensors = List.of(Tensor.ones(100), Tensor.ones(100));
        assertThrows(
                IllegalArgumentException.class,
                () -> ConstructionLimit.within(2000, () -> new Own(tensors)));
        assertEquals(2, ConstructionLimit.within(3000, () -> new Own(tensors)).stateDict().size());
    }
}
