package org.gradwire.bench;

import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

/** Gradwire's work within one process. */
final class LocalTasks {
    private static final int MILLION = 1 << 20;
    private static final int BATCH = 64;
    private static final int CLASSES = 10;
    private static final int EMBEDDINGS = 10_000;
    private static final int LOOKUPS = 4096;
    private static final int BAGS = 512;

    private final Random random = new Random(1);

    Map<Figure, Task> all() {
        Tensor x = Tensor.rand(random, MILLION);
        Tensor y = Tensor.rand(random, MILLION);
        return Map.of(
                Figure.LOCAL_MATMUL, matmul(),
                Figure.LOCAL_SGEMM_512, product(512),
                Figure.LOCAL_SGEMM_1024, product(1024),
                Figure.LOCAL_ADD, scoped(() -> x.add(y)),
                Figure.LOCAL_MUL, scoped(() -> x.mul(y)),
                Figure.LOCAL_EXP, scoped(x::exp),
                Figure.LOCAL_MLP, trainingStep(),
                Figure.LOCAL_CONV, convolution(),
                Figure.LOCAL_CONV_BACKWARD, convolutionBackward(),
                Figure.LOCAL_EMBEDDING_BAG, embeddingBag());
    }

    /** Results are given back at once, as PyTorch does when Python drops them. */
    private static Task scoped(Task.Call call) {
        return Task.latency(() -> {
            try (var _ = TensorScope.open()) {
                call.run();
            }
        });
    }

    private Task matmul() {
        Tensor a = Tensor.rand(random, 3, 3).requiresGrad(true);
        Tensor b = Tensor.rand(random, 3, 3).requiresGrad(true);
        return Task.latency(() -> a.matmul(b).sum().backward());
    }

    private Task product(int n) {
        Tensor m = Tensor.rand(random, n, n);
        return scoped(() -> m.matmul(m));
    }

    private Task trainingStep() {
        var net =
                new Sequential(
                        new Linear(784, 512),
                        Tensor::relu,
                        new Linear(512, 512),
                        Tensor::relu,
                        new Linear(512, CLASSES));
        var optimizer = new SGD(net.parameters(), 0.01);
        Tensor data = Tensor.rand(random, BATCH, 784);
        Tensor target =
                Tensor.of(LongStream.range(0, BATCH).map(_ -> random.nextInt(CLASSES)).toArray());
        return scoped(() -> {
            net.forward(data).crossEntropy(target).backward();
            optimizer.step();
            optimizer.zeroGrad();
        });
    }

    private Task convolution() {
        Tensor weight = Tensor.rand(random, 64, 64, 3, 3);
        Tensor bias = Tensor.rand(random, 64);
        Tensor images = Tensor.rand(random, 16, 64, 28, 28);
        int[] stride = {1, 1};
        int[] padding = {1, 1};
        return scoped(() -> Ops.conv2d(images, weight, bias, stride, padding));
    }

    private Task convolutionBackward() {
        Tensor weight = Tensor.rand(random, 64, 64, 3, 3).requiresGrad(true);
        Tensor bias = Tensor.rand(random, 64).requiresGrad(true);
        Tensor images = Tensor.rand(random, 16, 64, 28, 28).requiresGrad(true);
        int[] ones = {1, 1};
        return scoped(() -> {
            Ops.conv2d(images, weight, bias, ones, ones).sum().backward();
            forgetGradients(images, weight, bias);
        });
    }

    private Task embeddingBag() {
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
