package org.gradwire.bench;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.transformer.TransformerConfiguration;
import org.gradwire.nn.transformer.TransformerEncoderLayer;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Measures operators and training steps on a device, as {@code pytorch_device.py} does. */
final class DeviceBench {
    private static final int ROUNDS = 9;
    private static final int WARM_UP = 2;

    private final Device device;
    private final Random random = new Random(1);

    DeviceBench(Device device) {
        this.device = device;
    }

    /** A workload, and how often a round calls it. */
    private record Workload(Runnable call, int calls) {}

    private Map<String, Workload> all() {
        Map<String, Workload> all = new LinkedHashMap<>();
        Tensor few = Tensor.rand(random, 16).to(device);
        Tensor many = Tensor.rand(random, 1 << 13).to(device).repeat(1 << 13);
        Tensor square = Tensor.rand(random, 4096, 4096).to(device);
        Tensor brain = Tensor.rand(random, 1, 8192).to(device).repeat(8192, 1).to(DType.BFLOAT16);
        all.put("launch", new Workload(() -> few.add(few), 10_000));
        all.put("add64m", new Workload(() -> many.add(many), 20));
        all.put("exp64m", new Workload(many::exp, 20));
        all.put("sum64m", new Workload(many::sum, 20));
        all.put("softmax8k", new Workload(() -> many.view(8192, 8192).softmax(1), 20));
        all.put("sgemm4096", new Workload(() -> square.mm(square), 10));
        all.put("bf16gemm8192", new Workload(() -> brain.mm(brain), 10));
        all.put("mlpsmall", new Workload(mlp(64, 784, 512, 512, 10), 50));
        all.put("mlplarge", new Workload(mlp(4096, 1024, 4096, 4096, 1000), 5));
        all.put("transformer", new Workload(transformer(), 5));
        return all;
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
        Tensor target =
                Tensor.of(LongStream.range(0, batch).map(_ -> random.nextInt(classes)).toArray())
                        .to(device);
        return step(net, () -> net.forward(data).crossEntropy(target));
    }

    private Runnable transformer() {
        var net =
                new TransformerEncoderLayer(
                        TransformerConfiguration.of(1024, 16)
                                .dimFeedforward(4096)
                                .dropout(0)
                                .batchFirst(true));
        Tensor data = Tensor.rand(random, 8, 512, 1024).to(device);
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

    private void measure(String name, Workload workload) {
        double[] rounds = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            device.synchronize();
            long start = System.nanoTime();
            for (int i = 0; i < workload.calls; i++) {
                try (var _ = TensorScope.open()) {
                    workload.call.run();
                }
            }
            device.synchronize();
            if (round >= 0) {
                rounds[round] = (System.nanoTime() - start) / (double) workload.calls;
            }
        }
        Arrays.sort(rounds);
        System.out.printf("%s %d%n", name, (long) rounds[ROUNDS / 2]);
    }

    /**
     * Measure.
     *
     * @param args the device, and names of workloads, separated by commas; all when not given
     */
    public static void main(String[] args) {
        var bench = new DeviceBench(Device.parse(args[0]));
        bench.all()
                .forEach((name, workload) -> {
                    if (args.length < 2 || Arrays.asList(args[1].split(",")).contains(name)) {
                        bench.measure(name, workload);
                    }
                });
    }
}
