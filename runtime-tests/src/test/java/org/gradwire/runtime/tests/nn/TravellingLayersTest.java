package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.Bilinear;
import org.gradwire.nn.Dropout;
import org.gradwire.nn.Embedding;
import org.gradwire.nn.EmbeddingBag;
import org.gradwire.nn.Flatten;
import org.gradwire.nn.Identity;
import org.gradwire.nn.Layer;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.ModuleList;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.Size2d;
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
import org.gradwire.nn.transformer.MultiheadAttention;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.runtime.tests.functions.TravellingModules;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

/** Copies of each layer by a call: its options, parameters, buffers and mode. */
@Timeout(60)
class TravellingLayersTest {

    private static List<Module> layers() {
        var recurrent =
                LSTM.builder(3, 4)
                        .numLayers(2)
                        .bias(false)
                        .batchFirst(true)
                        .dropout(0.25)
                        .bidirectional(true)
                        .configuration();
        return List.of(
                new Linear(new Linear.Configuration(2, 3, false), 7),
                new Bilinear(2, 3, 4),
                Conv2d.builder(2, 4, new Size2d(3, 2)).stride(2).groups(2).bias(false).build(),
                Embedding.builder(4, 3).paddingIdx(-1).maxNorm(2).sparse(true).build(),
                Embedding.builder(4, 3).scaleGradByFreq(true).build(),
                EmbeddingBag.builder(4, 3).mode("max").paddingIdx(1).build(),
                EmbeddingBag.builder(4, 3).sparse(true).includeLastOffset(true).build(),
                new BatchNorm1d(BatchNormConfiguration.of(3).eps(0.01).momentum(null)),
                new BatchNorm2d(BatchNormConfiguration.of(3).momentum(0.2).affine(false)),
                new BatchNorm2d(
                        BatchNormConfiguration.of(3).momentum(0.2).trackRunningStats(false)),
                new LayerNorm(new LayerNorm.Configuration(List.of(2, 3), 0.1, true)),
                new GroupNorm(2, 4),
                new Dropout(0.25),
                new LSTM(recurrent, 7),
                new GRU(recurrent, 7),
                new RNN(new RNN.Configuration(recurrent, "relu"), 7),
                MultiheadAttention.builder(4, 2).dropout(0.25).kdim(3).batchFirst(true).build(),
                new ModuleList<>(List.of(new Linear(2, 2), new Dropout(0.5))),
                functions());
    }

    private static Sequential functions() {
        return new Sequential(
                new ReLU(),
                new GELU("tanh"),
                new Tanh(),
                new Sigmoid(),
                new SiLU(),
                new Identity(),
                new LeakyReLU(0.5),
                new Softmax(1),
                new LogSoftmax(-1),
                new MaxPool2d(new Size2d(3, 2)).stride(1).padding(1).ceilMode(true),
                new AvgPool2d(1).countIncludePad(false),
                new AvgPool2d(1).ceilMode(true).divisorOverride(3),
                new AdaptiveAvgPool2d(new Size2d(1, 2)),
                new Flatten());
    }

    @Test
    void eachLayerArrives() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    for (Module layer : layers()) {
                        layer.eval();
                        layer.buffers().forEach(buffer -> buffer.add_(3));
                        Module there = rpc.rpcSync("worker1", TravellingModules::echo, layer);
                        ModuleByValueTest.same(layer, there);
                        assertEquals(layer.toString(), there.toString());
                        there.to(DType.FLOAT64);
                        ModuleByValueTest.same(
                                there,
                                rpc.serialization()
                                        .fromBytes(
                                                rpc.serialization().toBytes(there), Module.class));
                    }
                });
    }

    @Test
    void layersWithoutParametersComputeTheSame() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    Sequential layers = functions();
                    Tensor images = Tensor.arange(50).to(DType.FLOAT32).div(50).view(1, 2, 5, 5);
                    Module there = rpc.rpcSync("worker1", TravellingModules::echo, layers);
                    Layer copy = assertInstanceOf(Sequential.class, there);
                    assertTrue(layers.forward(images).equal(copy.forward(images)));
                });
    }
}
