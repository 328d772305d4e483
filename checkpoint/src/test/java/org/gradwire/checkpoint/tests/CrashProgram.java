package org.gradwire.checkpoint.tests;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A group of two workers in one process, which trains from the newest checkpoint and saves each
 * step. Arguments: the directory, and the last step. Prints each step after its save.
 */
final class CrashProgram {
    private static final int WORKERS = 2;
    private static final int WIDTH = 10_000; // with the states of Adam about 0.7 MB

    private CrashProgram() {}

    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        int last = Integer.parseInt(arguments[1]);
        List<Rpc> workers =
                IntStream.range(0, WORKERS).parallel().mapToObj(CrashProgram::start).toList();
        var _ =
                Members.run(
                        workers,
                        (rpc, group) -> {
                            var trainer = new Trainer(group, 1, WIDTH);
                            try (var checkpoint =
                                    Checkpoint.of(rpc, Members.names(workers), directory)) {
                                long step = checkpoint.loadLatest(trainer.states()).orElse(0);
                                while (step++ < last) {
                                    trainer.step();
                                    var _ = checkpoint.save(step, trainer.states());
                                    if (group.rank() == 0) {
                                        System.out.println(step);
                                    }
                                }
                            }
                            return "done";
                        });
        Runtime.getRuntime().halt(0);
    }

    private static Rpc start(int rank) {
        return Rpc.init(
                RpcOptions.builder()
                        .rank(rank)
                        .worldSize(WORKERS)
                        .backend("inproc")
                        .rendezvous("inproc://crash")
                        .build());
    }
}
