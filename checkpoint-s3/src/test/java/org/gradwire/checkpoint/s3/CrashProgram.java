package org.gradwire.checkpoint.s3;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.s3.Group.Table;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A group of two workers in one process, which saves step after step from the newest checkpoint on,
 * until it is killed. Argument: the address. Prints each step after its save.
 */
final class CrashProgram {
    static final int WORKERS = 2;
    static final int ROWS = 2;
    static final int COLUMNS = 800_000; // two parts of 5 MiB and less for each member, in int64

    private CrashProgram() {}

    public static void main(String[] arguments) {
        List<Rpc> workers =
                IntStream.range(0, WORKERS).parallel().mapToObj(CrashProgram::start).toList();
        var _ =
                Group.run(
                        workers,
                        CheckpointStorage.of(arguments[0]),
                        (rank, checkpoint) -> {
                            var table = Table.of(rank, WORKERS, ROWS, COLUMNS).at(0);
                            long step = checkpoint.loadLatest(Map.of("t", table)).orElse(0);
                            while (true) {
                                step++;
                                var _ = checkpoint.save(step, Map.of("t", table.at(step)));
                                if (rank == 0) {
                                    System.out.println(step);
                                }
                            }
                        });
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
