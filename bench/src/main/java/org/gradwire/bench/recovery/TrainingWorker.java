package org.gradwire.bench.recovery;

import org.gradwire.bench.local.Perceptron;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.ElasticTrainer;
import org.gradwire.checkpoint.ElasticTraining;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;

/**
 * A worker that trains a perceptron data-parallel with all others, until a file exists, and saves
 * checkpoints. After a loss it continues from the newest state, and prints the line of {@link
 * FirstStep} after the first step that had not been done before.
 */
public final class TrainingWorker implements ElasticTraining.Attempt {
    private final ProcessGroup group;
    private final Path stop;
    private final NewestStep newest;
    private final Perceptron perceptron;
    private final DistributedDataParallel<Sequential> parallel;
    private final FirstStep first;
    private boolean isStopped;

    private TrainingWorker(Rpc rpc, ProcessGroup group, Path stop, NewestStep newest) {
        this.group = group;
        this.stop = stop;
        this.newest = newest;
        perceptron = new Perceptron(new Random(group.rank()));
        parallel = DistributedDataParallel.of(group, perceptron.net());
        // The first member writes it, in the thread that reads it here.
        first = new FirstStep(rpc, (long) group.broadcast(Tensor.of(newest.read()), 0).item());
    }

    /** Train; the arguments are the file, a folder for the state, and the steps per checkpoint. */
    public static void main(String[] args) {
        var stop = Path.of(args[0]);
        var state = Path.of(args[1]);
        var newest = new NewestStep(state.resolve("newest"));
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            ElasticTrainer.on(rpc, CheckpointStorage.directory(state.resolve("checkpoints")))
                    .saveEvery(Long.parseLong(args[2]))
                    .run(view -> begin(rpc, view, stop, newest));
        }
    }

    private static TrainingWorker begin(Rpc rpc, GroupView view, Path stop, NewestStep newest) {
        var group = ProcessGroup.of(rpc, "perceptrons-" + view.number(), view.names());
        try {
            return new TrainingWorker(rpc, group, stop, newest);
        } catch (RuntimeException e) {
            leave(group);
            throw e;
        }
    }

    private static void leave(ProcessGroup group) {
        group.abort("the training ends in this view");
        group.close();
    }

    @Override
    public Map<String, Stateful> states() {
        return Map.of(
                "model", Stateful.of(perceptron.net()),
                "optimizer", Stateful.of(perceptron.optimizer()));
    }

    @Override
    public boolean wantsMore(long steps) {
        return !isStopped;
    }

    @Override
    public void step(long number) {
        try (var _ = TensorScope.open()) {
            perceptron.step(data -> parallel.forward(net -> net.forward(data)));
            Tensor stops = Tensor.of(Files.exists(stop) ? 1L : 0L);
            isStopped = group.allReduce(stops, ReduceOp.MAX).item() > 0;
        }
        if (group.rank() == 0 && first.isNew(number)) {
            newest.write(number);
        }
        first.done(number);
    }

    @Override
    public void close() {
        leave(group);
    }
}
