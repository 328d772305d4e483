package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.loss.TripletMarginLoss;
import org.gradwire.nn.normalization.BatchNormConfiguration;
import org.gradwire.nn.pooling.AvgPool1d;
import org.gradwire.nn.pooling.AvgPool2d;
import org.gradwire.nn.pooling.MaxPool1d;
import org.gradwire.nn.pooling.MaxPool2d;
import org.gradwire.nn.recurrent.GRU;
import org.gradwire.nn.recurrent.LSTM;
import org.gradwire.nn.recurrent.RNN;
import org.gradwire.nn.recurrent.RecurrentConfiguration;
import org.gradwire.nn.transformer.TransformerConfiguration;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** The default options of layers, and each option of their builders and configurations. */
class BuildersTest {
    private static final Size2d SIZE = new Size2d(3, 2);

    @Test
    void recurrentLayers() {
        RecurrentConfiguration defaults = defaults();
        assertEquals(defaults, LSTM.builder(3, 4).configuration());
        assertEquals(defaults, GRU.builder(3, 4).configuration());
        assertEquals(new RNN.Configuration(defaults, "tanh"), RNN.builder(3, 4).configuration());
        assertEquals(
                new RecurrentConfiguration(3, 4, 2, false, true, 0.25, true),
                LSTM.builder(3, 4)
                        .numLayers(2)
                        .bias(false)
                        .batchFirst(true)
                        .dropout(0.25)
                        .bidirectional(true)
                        .configuration());
        assertEquals(
                new RNN.Configuration(
                        new RecurrentConfiguration(3, 4, 1, false, false, 0, false), "relu"),
                RNN.builder(3, 4, "relu").bias(false).configuration());
    }

    @Test
    void recurrentLayersFollowFromTheSeed() {
        Tensor input = Tensor.ones(5, 2, 3);
        assertTrue(
                GRU.builder(3, 4)
                        .build(7)
                        .forward(input)
                        .output()
                        .equal(GRU.builder(3, 4).build(7).forward(input).output()));
        assertEquals(defaults(), LSTM.builder(3, 4).build().configuration());
        assertEquals("relu", RNN.builder(3, 4, "relu").build().configuration().nonlinearity());
    }

    @Test
    void averagePools() {
        assertEquals(new AvgPool1d(3, 3, 0, false, true), new AvgPool1d(3));
        assertEquals(
                new AvgPool1d(3, 2, 1, true, false),
                new AvgPool1d(3).stride(2).padding(1).ceilMode(true).countIncludePad(false));
        assertEquals(
                new AvgPool2d(SIZE, SIZE, new Size2d(0), false, true, null), new AvgPool2d(SIZE));
        assertEquals(new AvgPool2d(new Size2d(3)), new AvgPool2d(3));
        assertEquals(new AvgPool2d(3, 2, 1), new AvgPool2d(3).stride(2).padding(1));
        assertEquals(
                new AvgPool2d(SIZE, new Size2d(1, 2), new Size2d(1, 0), true, false, 5),
                new AvgPool2d(SIZE)
                        .stride(new Size2d(1, 2))
                        .padding(new Size2d(1, 0))
                        .ceilMode(true)
                        .countIncludePad(false)
                        .divisorOverride(5));
    }

    @Test
    void maximumPools() {
        assertEquals(new MaxPool1d(3, 3, 0, 1, false), new MaxPool1d(3));
        assertEquals(
                new MaxPool1d(3, 2, 1, 4, true),
                new MaxPool1d(3).stride(2).padding(1).dilation(4).ceilMode(true));
        assertEquals(
                new MaxPool2d(SIZE, SIZE, new Size2d(0), new Size2d(1), false),
                new MaxPool2d(SIZE));
        assertEquals(new MaxPool2d(new Size2d(3)), new MaxPool2d(3));
        assertEquals(new MaxPool2d(3, 2, 1), new MaxPool2d(3).stride(2).padding(1));
        assertEquals(
                new MaxPool2d(new Size2d(3), new Size2d(3), new Size2d(0), new Size2d(2), false),
                new MaxPool2d(3).dilation(2));
        assertEquals(
                new MaxPool2d(SIZE, new Size2d(1, 2), new Size2d(1, 0), new Size2d(4, 5), true),
                new MaxPool2d(SIZE)
                        .stride(new Size2d(1, 2))
                        .padding(new Size2d(1, 0))
                        .dilation(new Size2d(4, 5))
                        .ceilMode(true));
    }

    @Test
    void tripletMarginLoss() {
        var defaults = new TripletMarginLoss();
        assertEquals(new TripletMarginLoss(1, 2, 1e-6, false, "mean"), defaults);
        assertEquals(
                new TripletMarginLoss(0.5, 1, 1e-3, true, "sum"),
                defaults.margin(0.5).p(1).eps(1e-3).swap(true).reduction("sum"));
    }

    @Test
    void batchNorms() {
        var defaults = BatchNormConfiguration.of(3);
        assertEquals(new BatchNormConfiguration(3, 1e-5, 0.1, true, true), defaults);
        assertEquals(
                new BatchNormConfiguration(3, 1e-3, 0.2, false, false),
                defaults.eps(1e-3).momentum(0.2).affine(false).trackRunningStats(false));
        assertNull(defaults.momentum(null).momentum());
    }

    @Test
    void transformers() {
        var defaults = TransformerConfiguration.of(4, 2);
        assertEquals(
                new TransformerConfiguration(4, 2, 2048, 0.1, "relu", 1e-5, false, false),
                defaults);
        assertEquals(
                new TransformerConfiguration(4, 2, 8, 0.2, "gelu", 1e-3, true, true),
                defaults.dimFeedforward(8)
                        .dropout(0.2)
                        .activation("gelu")
                        .layerNormEps(1e-3)
                        .batchFirst(true)
                        .normFirst(true));
    }

    private static RecurrentConfiguration defaults() {
        return new RecurrentConfiguration(3, 4, 1, true, false, 0, false);
    }
}
