package org.gradwire.bench.growth;

import org.gradwire.tensor.Tensor;

import java.util.List;

/** A chain of operators in one process. */
final class LocalBackward implements GrowthBenchmark {
    private static final int[] DEPTHS = {10, 100, 1_000, 10_000, 100_000};

    @Override
    public String name() {
        return "backward.local";
    }

    @Override
    public List<Curve> measure() throws Exception {
        List<CurvePoint> points = RepeatedRun.leastMicros(DEPTHS, this::pass);
        return List.of(
                new Curve(
                        "backward over local operators",
                        "operators",
                        "us",
                        GrowthBound.LINEAR,
                        points));
    }

    private long pass(int depth) throws Exception {
        Tensor weight = Tensor.ones(2, 2).requiresGrad(true);
        Tensor sum = weight;
        for (int i = 0; i < depth; i++) {
            sum = sum.add(weight);
        }
        Tensor loss = sum.sum();
        return RepeatedRun.nanos(loss::backward);
    }
}
