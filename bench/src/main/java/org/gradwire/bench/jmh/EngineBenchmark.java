package org.gradwire.bench.jmh;

import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Forward and backward in one process: a tiny matrix product dominated by engine overhead, a long
 * chain, and a training step of a perceptron. {@code ./gradwire bench --jmh Engine}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EngineBenchmark {
    private static final int CHAIN = 1000;
    private static final int BATCH = 64;

    private final Random random = new Random(1);
    private final Tensor a = Tensor.rand(random, 3, 3).requiresGrad(true);
    private final Tensor b = Tensor.rand(random, 3, 3).requiresGrad(true);
    private final Sequential net =
            new Sequential(
                    new Linear(784, 512),
                    Tensor::relu,
                    new Linear(512, 512),
                    Tensor::relu,
                    new Linear(512, 10));
    private final SGD optimizer = new SGD(net.parameters(), 0.01);
    private final Tensor data = Tensor.rand(random, BATCH, 784);
    private final Tensor target = Tensor.of(LongStream.range(0, BATCH).map(i -> i % 10).toArray());

    @Benchmark
    public void matmul3x3() {
        a.matmul(b).sum().backward();
    }

    @Benchmark
    public void chainOfThousand() {
        Tensor x = a;
        for (int i = 0; i < CHAIN; i++) {
            x = x.add(b);
        }
        x.sum().backward();
    }

    @Benchmark
    public void perceptronStep() {
        try (var _ = TensorScope.open()) {
            optimizer.zeroGrad();
            net.forward(data).crossEntropy(target).backward();
            optimizer.step();
        }
    }
}
