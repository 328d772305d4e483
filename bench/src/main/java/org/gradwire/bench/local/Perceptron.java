package org.gradwire.bench.local;

import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.Tensor;

import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** A perceptron, of 669,706 parameters by default, which learns one batch. */
public final class Perceptron {
    private static final int BATCH = 64;
    private static final int CLASSES = 10;
    private static final int WIDTH = 512;

    private final Sequential net;
    private final SGD optimizer;
    private final Tensor data;
    private final Tensor target;

    public Perceptron(Random random) {
        this(random, WIDTH);
    }

    /** Create one with another width of its hidden layers. */
    public Perceptron(Random random, int width) {
        net =
                new Sequential(
                        new Linear(784, width),
                        Tensor::relu,
                        new Linear(width, width),
                        Tensor::relu,
                        new Linear(width, CLASSES));
        optimizer = new SGD(net.parameters(), 0.01);
        data = Tensor.rand(random, BATCH, 784);
        target = Tensor.of(LongStream.range(0, BATCH).map(_ -> random.nextInt(CLASSES)).toArray());
    }

    public Sequential net() {
        return net;
    }

    public SGD optimizer() {
        return optimizer;
    }

    public void step() {
        step(net::forward);
    }

    /** Take a step with a computation of the outputs. */
    public void step(UnaryOperator<Tensor> forward) {
        forward.apply(data).crossEntropy(target).backward();
        optimizer.step();
        optimizer.zeroGrad();
    }
}
