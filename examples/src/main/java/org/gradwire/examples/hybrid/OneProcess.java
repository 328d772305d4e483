package org.gradwire.examples.hybrid;

import org.gradwire.examples.checks.Training;
import org.gradwire.examples.hybrid.Samples.Batch;
import org.gradwire.nn.Sequential;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The same training in one process, with whole batches. */
final class OneProcess {

    private OneProcess() {}

    static Training train(int trainers) {
        var table = Hybrid.newEmbedding();
        var dense = Hybrid.newDenseLayers();
        var optimizer = new SGD(table.parameters(), Hybrid.EMBEDDING_RATE);
        var _ = optimizer.addGroup(dense.parameters(), SGD.options(Hybrid.DENSE_RATE));
        RandomGenerator random = new SplittableRandom(Hybrid.SEED);
        List<Double> losses = new ArrayList<>();
        for (int step = 0; step < Hybrid.STEPS; step++) {
            Batch batch = Samples.batch(random, Hybrid.PART * trainers);
            optimizer.zeroGrad();
            Tensor loss = dense.forward(table.forward(batch.items())).crossEntropy(batch.labels());
            loss.backward();
            optimizer.step();
            losses.add(loss.item());
        }
        return result(losses, dense, table.weight());
    }

    static Training result(List<Double> losses, Sequential dense, Tensor table) {
        Map<String, Tensor> parameters = new LinkedHashMap<>(dense.namedParameters());
        parameters.put("embedding", table);
        return new Training(losses, parameters);
    }
}
