package org.gradwire.bench;

import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.Tensor;

import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** A perceptron of 669,706 parameters, which learns one batch. */
final class Perceptron {
    private static final int BATCH = 64;
    private static final int CLASSES = 10;

    private final Sequential net =
            new Sequential(
                    new Linear(784, 512),
                    Tensor::relu,
                    new Linear(512, 512),
                    Tensor::relu,
                    new Linear(512, CLASSES));
    private final SGD optimizer = new SGD(net.parameters(), 0.01);
    private final Tensor data;
    private final Tensor target;

    Perceptron(Random random) {
        data = Tensor.rand(random, BATCH, 784);
        target = Tensor.of(LongStream.range(0, BATCH).map(_ -> random.nextInt(CLASSES)).toArray());
    }

    Sequential net() {
        return net;
    }

    void step() {
        step(net::forward);
    }

    /** Take a step with a computation of the outputs. */
    void step(UnaryOperator<Tensor> forward) {
        forward.apply(data).crossEntropy(target).backward();
        optimizer.step();
        optimizer.zeroGrad();
    }
}
