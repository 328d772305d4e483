package org.gradwire.bench.jmh;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Operators at the sizes of the comparison and at small sizes. Results are freed at once. {@code
 * ./gradwire bench --jmh Operator}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class OperatorBenchmark {
    @Param({
        "add4",
        "add1M",
        "exp1M",
        "tanh1M",
        "sum1M",
        "matmul4",
        "matmul512",
        "softmax",
        "conv3x3",
        "transposeCopy"
    })
    private String operator = "";

    private Supplier<Tensor> work = () -> Tensor.zeros(0);

    @Setup(Level.Trial)
    public void choose() {
        Supplier<Tensor> chosen = all().get(operator);
        if (chosen == null) {
            throw new IllegalArgumentException("no operator '" + operator + "': " + all().keySet());
        }
        work = chosen;
    }

    private static Map<String, Supplier<Tensor>> all() {
        var random = new Random(1);
        Tensor small = Tensor.rand(random, 2, 2);
        Tensor large = Tensor.rand(random, 1 << 20);
        Tensor square = Tensor.rand(random, 512, 512);
        Tensor images = Tensor.rand(random, 16, 64, 28, 28);
        Tensor filters = Tensor.rand(random, 64, 64, 3, 3);
        int[] ones = {1, 1};
        return Map.of(
                "add4", () -> small.add(small),
                "add1M", () -> large.add(large),
                "exp1M", large::exp,
                "tanh1M", large::tanh,
                "sum1M", large::sum,
                "matmul4", () -> small.matmul(small),
                "matmul512", () -> square.matmul(square),
                "softmax", () -> square.softmax(1),
                "conv3x3", () -> Ops.conv2d(images, filters, null, ones, ones),
                "transposeCopy", () -> square.t().contiguous());
    }

    @Benchmark
    public Tensor run() {
        try (var _ = TensorScope.open()) {
            return work.get();
        }
    }
}
