package org.gradwire.examples.ddp;

import org.gradwire.data.BatchIterator;
import org.gradwire.examples.checks.Training;
import org.gradwire.nn.Sequential;
import org.gradwire.optim.Adam;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The same training in one process, which sums the gradients of the batches of all trainers in the
 * order of their ranks, so that the results are the same to the bit.
 */
final class OneProcess {

    private OneProcess() {}

    static Training train(int trainers) {
        Sequential model = Ddp.network();
        Adam optimizer = Ddp.adam(model.parameters());
        List<Double> losses = new ArrayList<>();
        for (int epoch = 0; epoch < Ddp.EPOCHS; epoch++) {
            List<BatchIterator<List<Tensor>>> shares = shares(trainers, epoch);
            while (shares.getFirst().hasNext()) {
                optimizer.zeroGrad();
                List<Double> parts = new ArrayList<>();
                shares.forEach(share -> parts.add(backward(model, share.next())));
                model.parameters().forEach(parameter -> divide(parameter, trainers));
                optimizer.step();
                losses.add(parts.stream().mapToDouble(part -> part).average().orElseThrow());
            }
        }
        return new Training(losses, new LinkedHashMap<>(model.namedParameters()));
    }

    private static List<BatchIterator<List<Tensor>>> shares(int trainers, int epoch) {
        return IntStream.range(0, trainers)
                .mapToObj(rank -> {
                    var loader = Ddp.loader(rank, trainers);
                    loader.epoch(epoch);
                    return loader.iterator();
                })
                .toList();
    }

    /** Add the gradients of a batch; {@return its loss} */
    private static double backward(Sequential model, List<Tensor> batch) {
        Tensor loss = model.forward(batch.getFirst()).crossEntropy(batch.getLast());
        loss.backward();
        return loss.item();
    }

    private static void divide(Tensor parameter, int trainers) {
        Objects.requireNonNull(parameter.grad()).div_(trainers);
    }
}
