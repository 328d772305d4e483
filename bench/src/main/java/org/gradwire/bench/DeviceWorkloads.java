package org.gradwire.bench;

import org.gradwire.nn.Flatten;
import org.gradwire.nn.Layer;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.conv.Conv2d;
import org.gradwire.nn.normalization.BatchNorm2d;
import org.gradwire.nn.pooling.AdaptiveAvgPool2d;
import org.gradwire.nn.pooling.MaxPool2d;
import org.gradwire.nn.transformer.TransformerConfiguration;
import org.gradwire.nn.transformer.TransformerEncoderLayer;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** Gradwire's operators and training steps on a device, as in {@code pytorch_device.py}. */
final class DeviceWorkloads {
    private static final int PRODUCTS = 10;
    private static final int SIDE = 8192;

    private final Device device;
    private final Random random = new Random(1);

    DeviceWorkloads(Device device) {
        this.device = device;
    }

    /** {@return the workloads of the metrics that are wanted; the memory of others is not taken} */
    Map<Metric, Workload> all(Predicate<Metric> wanted) {
        Map<Metric, Supplier<Runnable>> calls = new EnumMap<>(Metric.class);
        calls.put(Metric.DEVICE_LAUNCH, this::launch);
        calls.put(Metric.DEVICE_ADD, () -> of(many(), many -> many.add(many)));
        calls.put(Metric.DEVICE_EXP, () -> of(many(), Tensor::exp));
        calls.put(Metric.DEVICE_SUM, () -> of(many(), Tensor::sum));
        calls.put(
                Metric.DEVICE_SOFTMAX, () -> of(many().view(SIDE, SIDE), rows -> rows.softmax(1)));
        calls.put(Metric.DEVICE_SGEMM, this::product);
        calls.put(Metric.DEVICE_BFLOAT16_GEMM, this::bfloat16Product);
        calls.put(Metric.DEVICE_SMALL_MLP, () -> mlp(64, 784, 512, 512, 10));
        calls.put(Metric.DEVICE_LARGE_MLP, () -> mlp(4096, 1024, 4096, 4096, 1000));
        calls.put(Metric.DEVICE_TRANSFORMER, this::transformer);
        calls.put(Metric.DEVICE_CONVOLUTIONS, this::convolutions);
        calls.put(Metric.DEVICE_DROPOUT, () -> of(many(), many -> many.dropout(0.5, true, random)));
        calls.putAll(orders());
        Map<Metric, Workload> all = new EnumMap<>(Metric.class);
        calls.forEach((metric, call) -> {
            if (wanted.test(metric)) {
                all.put(metric, repeated(metric, call.get()));
            }
        });
        return all;
    }

    /** {@return sorts, scans, bags and the loss of pixels} */
    private Map<Metric, Supplier<Runnable>> orders() {
        Map<Metric, Supplier<Runnable>> calls = new EnumMap<>(Metric.class);
        calls.put(
                Metric.DEVICE_SORT_ROWS,
                () -> of(rand(4096, 4096), rows -> Ops.sort(rows, 1, false).getFirst()));
        calls.put(
                Metric.DEVICE_SORT,
                () -> of(rand(1 << 24), row -> Ops.sort(row, 0, false).getFirst()));
        calls.put(
                Metric.DEVICE_TOPK,
                () -> of(rand(64, 50_257), rows -> Ops.topk(rows, 50, 1, true, true).getFirst()));
        calls.put(Metric.DEVICE_CUMSUM, () -> of(rand(1 << 24), row -> row.cumsum(0)));
        calls.put(Metric.DEVICE_EMBEDDING_BAG, this::embeddingBag);
        calls.put(Metric.DEVICE_PIXEL_LOSS, this::pixelLoss);
        return calls;
    }

    private Runnable embeddingBag() {
        Tensor weight = rand(100_000, 128).requiresGrad(true);
        Tensor indices = integers(100_000, 65_536);
        Tensor offsets = Tensor.of(LongStream.range(0, 4096).map(i -> 16 * i).toArray()).to(device);
        return () -> {
            weight.grad(null);
            Ops.embeddingBag(weight, indices, offsets, "sum", null).sum().backward();
        };
    }

    private Runnable pixelLoss() {
        Tensor scores = rand(4, 21, 512, 512).requiresGrad(true);
        Tensor target = integers(21, 4 * 512 * 512).view(4, 512, 512);
        return () -> {
            scores.grad(null);
            scores.crossEntropy(target).backward();
        };
    }

    private Tensor rand(int... shape) {
        return Tensor.rand(random, shape).to(device);
    }

    private Tensor integers(int bound, int count) {
        return Tensor.of(LongStream.range(0, count).map(_ -> random.nextInt(bound)).toArray())
                .to(device);
    }

    /** The device runs the calls in sequence, and the host waits for the last one only. */
    private Workload repeated(Metric metric, Runnable call) {
        int calls = metric.kind() == Metric.Kind.FLOPS ? PRODUCTS : (int) metric.work();
        return Workload.latency(() -> {
            for (int i = 0; i < calls; i++) {
                try (var _ = TensorScope.open()) {
                    call.run();
                }
            }
            device.synchronize();
        });
    }

    private static Runnable of(Tensor tensor, UnaryOperator<Tensor> operator) {
        return () -> {
            var _ = operator.apply(tensor);
        };
    }

    private Tensor many() {
        return Tensor.rand(random, SIDE).to(device).repeat(SIDE);
    }

    private Runnable launch() {
        return of(Tensor.rand(random, 16).to(device), few -> few.add(few));
    }

    private Runnable product() {
        return of(Tensor.rand(random, 4096, 4096).to(device), square -> square.mm(square));
    }

    private Runnable bfloat16Product() {
        Tensor row = Tensor.rand(random, 1, SIDE).to(device);
        return of(row.repeat(SIDE, 1).to(DType.BFLOAT16), square -> square.mm(square));
    }

    private Runnable mlp(int batch, int... sizes) {
        List<Layer> layers = new ArrayList<>();
        for (int i = 0; i < sizes.length - 1; i++) {
            layers.add(new Linear(sizes[i], sizes[i + 1]));
            if (i < sizes.length - 2) {
                layers.add(Tensor::relu);
            }
        }
        var net = new Sequential(layers.toArray(Layer[]::new));
        Tensor data = Tensor.rand(random, batch, sizes[0]).to(device);
        int classes = sizes[sizes.length - 1];
        Tensor target = integers(classes, batch);
        return step(net, () -> net.forward(data).crossEntropy(target));
    }

    private Runnable transformer() {
        var net =
                new TransformerEncoderLayer(
                        TransformerConfiguration.of(1024, 16)
                                .dimFeedforward(4096)
                                .dropout(0)
                                .batchFirst(true),
                        7);
        Tensor data = Tensor.rand(random, 8, 512, 1024).to(device);
        return step(net, () -> net.forward(data).square().mean());
    }

    private Runnable convolutions() {
        var net =
                new Sequential(
                        Conv2d.builder(3, 64, 7).stride(2).padding(3).build(),
                        new BatchNorm2d(64),
                        Tensor::relu,
                        new MaxPool2d(2),
                        Conv2d.builder(64, 64, 3).padding(1).build(),
                        new BatchNorm2d(64),
                        Tensor::relu,
                        Conv2d.builder(64, 128, 3).stride(2).padding(1).build(),
                        new BatchNorm2d(128),
                        Tensor::relu,
                        new AdaptiveAvgPool2d(1),
                        new Flatten(),
                        new Linear(128, 1000));
        Tensor data = Tensor.rand(random, 32, 3, 224, 224).to(device);
        return step(net, () -> net.forward(data).square().mean());
    }

    private Runnable step(Module net, Supplier<Tensor> loss) {
        net.to(device);
        var optimizer = new SGD(net.parameters(), 0.01);
        return () -> {
            optimizer.zeroGrad();
            loss.get().backward();
            optimizer.step();
        };
    }
}
