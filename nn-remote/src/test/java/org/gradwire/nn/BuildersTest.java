package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.recurrent.GRU;
import org.gradwire.nn.recurrent.LSTM;
import org.gradwire.nn.recurrent.RNN;
import org.gradwire.nn.recurrent.RecurrentConfiguration;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** The default options of layers, and each option of their builders and configurations. */
class BuildersTest {

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

    private static RecurrentConfiguration defaults() {
        return new RecurrentConfiguration(3, 4, 1, true, false, 0, false);
    }
}
