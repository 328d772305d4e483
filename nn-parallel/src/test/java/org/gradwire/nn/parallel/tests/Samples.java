package org.gradwire.nn.parallel.tests;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.activation.Tanh;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Models and batches. */
final class Samples {
    static final int INPUTS = 5;
    static final int OUTPUTS = 3;
    private static final int BATCH = 4;

    private Samples() {}

    static Sequential perceptron(long seed) {
        return new Sequential(
                new Linear(INPUTS, 7, seed), new Tanh(), new Linear(7, OUTPUTS, seed + 1));
    }

    /** {@return the inputs of a member in a step} */
    static Tensor inputs(int rank, int step) {
        return Tensor.randn(new SplittableRandom(1000L * rank + step), BATCH, INPUTS);
    }

    /** {@return the loss of a model for the inputs of a member in a step} */
    static Tensor loss(Layer model, int rank, int step) {
        return model.forward(inputs(rank, step)).pow(2).mean();
    }

    /** {@return the gradients of a module that this process computes alone} */
    static List<Tensor> gradients(Sequential model, int rank, int step) {
        model.parameters().forEach(parameter -> parameter.zeroGrad(true));
        loss(model, rank, step).backward();
        return gradients(model);
    }

    static List<Tensor> gradients(Module model) {
        return model.parameters().stream()
                .map(parameter -> java.util.Objects.requireNonNull(parameter.grad()).clone())
                .toList();
    }

    /** {@return the average in the order of the ranks} */
    static List<Tensor> average(List<List<Tensor>> byRank) {
        List<Tensor> averages = new ArrayList<>();
        for (int i = 0; i < byRank.getFirst().size(); i++) {
            int number = i;
            averages.add(
                    byRank.stream()
                            .map(gradients -> gradients.get(number))
                            .reduce(Tensor::add)
                            .orElseThrow()
                            .div(byRank.size()));
        }
        return averages;
    }

    static SGD optimizer(Module model) {
        return new SGD(model.parameters(), SGD.options(0.1).momentum(0.9));
    }

    static boolean equal(List<Tensor> some, List<Tensor> others) {
        return some.size() == others.size()
                && java.util.stream.IntStream.range(0, some.size())
                        .allMatch(i -> some.get(i).equal(others.get(i)));
    }

    static List<Tensor> copies(List<Tensor> tensors) {
        return tensors.stream().map(tensor -> tensor.detach().clone()).toList();
    }
}
