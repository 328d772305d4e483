package org.gradwire.bench.recovery;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.rpc.elastic.ElasticProgram;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker whose step is an all-gather of all workers, until a file exists. It prints a line after
 * the first step in each view: its rank, its process id, and the time in microseconds since 1970.
 */
public final class RecoveryWorker implements ElasticProgram {
    private static final Duration PAUSE = Duration.ofMillis(2); // as if it computed

    private final Rpc rpc;
    private final Path stop;
    private boolean isFirst;

    private RecoveryWorker(Rpc rpc, Path stop) {
        this.rpc = rpc;
        this.stop = stop;
    }

    /** Do steps; the argument is the file. */
    public static void main(String[] args) {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            Elastic.on(rpc).run(new RecoveryWorker(rpc, Path.of(args[0])));
        }
    }

    @Override
    public void recover(GroupView view) {
        isFirst = true;
    }

    @Override
    public boolean step(GroupView view) {
        boolean isLast =
                rpc.allGather(Files.exists(stop), Set.copyOf(view.names())).containsValue(true);
        if (isFirst) {
            isFirst = false;
            long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            System.out.printf(
                    "first %d %d %d%n", rpc.self().id(), ProcessHandle.current().pid(), micros);
        }
        LockSupport.parkNanos(PAUSE.toNanos());
        return !isLast;
    }
}
