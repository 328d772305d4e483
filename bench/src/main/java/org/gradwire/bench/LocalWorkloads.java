package org.gradwire.bench;

import org.gradwire.bench.local.Perceptron;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

/** Gradwire's workloads within one process. */
final class LocalWorkloads {
    private static final int MILLION = 1 << 20;
    private static final int EMBEDDINGS = 10_000;
    private static final int LOOKUPS = 4096;
    private static final int BAGS = 512;

    private final Random random = new Random(1);

    Map<Metric, Workload> all() {
        Tensor x = Tensor.rand(random, MILLION);
        Tensor y = Tensor.rand(random, MILLION);
        return Map.of(
                Metric.LOCAL_MATMUL, matmul(),
                Metric.LOCAL_SGEMM_512, product(512),
                Metric.LOCAL_SGEMM_1024, product(1024),
                Metric.LOCAL_ADD, scoped(() -> x.add(y)),
                Metric.LOCAL_MUL, scoped(() -> x.mul(y)),
                Metric.LOCAL_EXP, scoped(x::exp),
                Metric.LOCAL_MLP, scoped(new Perceptron(random)::step),
                Metric.LOCAL_CONV, convolution(),
                Metric.LOCAL_CONV_BACKWARD, convolutionBackward(),
                Metric.LOCAL_EMBEDDING_BAG, embeddingBag());
    }

    /** Free results immediately, as PyTorch does when Python drops them. */
    private static Workload scoped(Workload.Call call) {
        return Workload.latency(() -> {
            try (var _ = TensorScope.open()) {
                call.run();
            }
        });
    }

    private Workload matmul() {
        Tensor a = Tensor.rand(random, 3, 3).requiresGrad(true);
        Tensor b = Tensor.rand(random, 3, 3).requiresGrad(true);
        return Workload.latency(() -> a.matmul(b).sum().backward());
    }

    private Workload product(int n) {
        Tensor m = Tensor.rand(random, n, n);
        return scoped(() -> m.matmul(m));
    }

    private Workload convolution() {
        Tensor weight = Tensor.rand(random, 64, 64, 3, 3);
        Tensor bias = Tensor.rand(random, 64);
        Tensor images = Tensor.rand(random, 16, 64, 28, 28);
        int[] stride = {1, 1};
        int[] padding = {1, 1};
        return scoped(() -> Ops.conv2d(images, weight, bias, stride, padding));
    }

    private Workload convolutionBackward() {
        Tensor weight = Tensor.rand(random, 64, 64, 3, 3).requiresGrad(true);
        Tensor bias = Tensor.rand(random, 64).requiresGrad(true);
        Tensor images = Tensor.rand(random, 16, 64, 28, 28).requiresGrad(true);
        int[] ones = {1, 1};
        return scoped(() -> {
            Ops.conv2d(images, weight, bias, ones, ones).sum().backward();
            forgetGradients(images, weight, bias);
        });
    }

    private Workload embeddingBag() {
        Tensor weight = Tensor.rand(random, EMBEDDINGS, 64).requiresGrad(true);
        Tensor indices =
                Tensor.of(
                        LongStream.range(0, LOOKUPS)
                                .map(_ -> random.nextInt(EMBEDDINGS))
                                .toArray());
        Tensor offsets = Tensor.arange(0, LOOKUPS, LOOKUPS / BAGS);
        return scoped(() -> {
            Ops.embeddingBag(weight, indices, offsets, "sum", null).sum().backward();
            forgetGradients(weight);
        });
    }

    private static void forgetGradients(Tensor... leaves) {
        for (Tensor leaf : leaves) {
            leaf.grad(null);
        }
    }
}
