package org.gradwire.examples.guide;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.ElasticTrainer;
import org.gradwire.checkpoint.ElasticTraining;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.nn.Linear;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;

/** Page 11: a training of replicas that continues after the loss of a member. */
final class Replica implements ElasticTraining.Attempt {
    private final ProcessGroup group;
    private final Linear model = new Linear(4, 1, 1L);
    private final SGD optimizer = new SGD(model.parameters(), SGD.options(0.1).momentum(0.9));
    private final DistributedDataParallel<Linear> parallel;
    private final long last;

    private Replica(Rpc rpc, GroupView view, long last) {
        group = ProcessGroup.of(rpc, "replicas-" + view.number(), view.names());
        parallel = DistributedDataParallel.of(group, model);
        this.last = last;
    }

    /** Train replicas; any member may be lost meanwhile. */
    static void train(Rpc rpc, Path directory, long last) {
        ElasticTrainer.on(rpc, CheckpointStorage.directory(directory))
                .saveEvery(100)
                .copyEvery(10)
                .run(view -> new Replica(rpc, view, last));
    }

    @Override
    public Map<String, Stateful> states() {
        return Map.of("model", Stateful.of(model), "optimizer", Stateful.of(optimizer));
    }

    @Override
    public boolean wantsMore(long steps) {
        return steps < last;
    }

    @Override
    public void step(long number) {
        Tensor batch = Tensor.randn(new SplittableRandom(100 * number + group.rank()), 8, 4);
        optimizer.zeroGrad();
        parallel.forward(m -> m.forward(batch)).pow(2).mean().backward();
        optimizer.step();
    }

    @Override
    public void close() {
        group.abort("the training ends in this view");
        group.close();
    }
}
