package org.gradwire.examples.guide;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.nn.Linear;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Page 11: a training that continues where the newest checkpoint ends. */
public final class Checkpoints {

    private Checkpoints() {}

    static void run(Rpc rpc) throws IOException {
        WorkerGroup all = rpc.workers("worker*");
        Path directory = Files.createTempDirectory("guide-checkpoints");
        try {
            for (long last : new long[] {3, 5}) {
                List<Long> from =
                        all.callAll(
                                        Call.to(
                                                Checkpoints::train,
                                                all.names(),
                                                directory.toString(),
                                                last))
                                .values();
                IO.println("trained to step " + last + ", from " + from);
            }
            var replicas = all.callAll(Call.to(Checkpoints::trainReplicas, directory + "", 250L));
            IO.println("replicas saved the steps " + replicas.values());
        } finally {
            delete(directory);
        }
    }

    /** Train to a step, and return the one of the checkpoint from which the training continued. */
    @RemoteCallable
    public static long train(List<String> names, String directory, long last) throws IOException {
        Rpc rpc = Rpc.current();
        try (var group = ProcessGroup.of(rpc, "trainers", names);
                var checkpoint = Checkpoint.of(rpc, names, Path.of(directory))) {
            var model = new Linear(4, 1, 1L);
            var optimizer = new SGD(model.parameters(), SGD.options(0.1).momentum(0.9));
            Map<String, Stateful> states =
                    Map.of("model", Stateful.of(model), "optimizer", Stateful.of(optimizer));
            var parallel = DistributedDataParallel.of(group, model);
            long from = checkpoint.loadLatest(states).orElse(0);
            for (long step = from + 1; step <= last; step++) {
                Tensor batch = Tensor.randn(new SplittableRandom(100 * step + group.rank()), 8, 4);
                optimizer.zeroGrad();
                parallel.forward(m -> m.forward(batch)).pow(2).mean().backward();
                optimizer.step();
                var _ = checkpoint.saveAsync(step, states);
            }
            return from;
        }
    }

    /** Train replicas, and return the steps of the checkpoints that were kept. */
    @RemoteCallable
    public static List<Long> trainReplicas(String directory, long last) throws IOException {
        Path replicas = Path.of(directory, "replicas");
        Replica.train(Rpc.current(), replicas, last);
        return Checkpoint.steps(CheckpointStorage.directory(replicas));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
