package org.gradwire.examples.pipeline;

import org.gradwire.nn.Sequential;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The same training in one process, without micro-batches. */
final class SingleProcess {
    private final Sequential model;
    private final SGD optimizer;

    /** The result of a step. */
    record Step(double loss, List<Tensor> gradients) {}

    SingleProcess(Options options) {
        model =
                new Sequential(
                        IntStream.range(0, Model.STAGES)
                                .mapToObj(stage -> options.model().layers(stage, options.seed()))
                                .toArray(Sequential[]::new));
        optimizer = new SGD(model.parameters(), Pipeline.LEARNING);
    }

    List<Step> train(List<Pictures> batches) {
        List<Step> steps = new ArrayList<>();
        for (Pictures batch : batches) {
            optimizer.zeroGrad();
            Tensor loss = model.forward(batch.pixels()).crossEntropy(batch.classes());
            loss.backward();
            steps.add(new Step(loss.item(), gradients()));
            optimizer.step();
        }
        return steps;
    }

    private List<Tensor> gradients() {
        return model.parameters().stream()
                .map(parameter -> Objects.requireNonNull(parameter.grad()).copy())
                .toList();
    }
}
