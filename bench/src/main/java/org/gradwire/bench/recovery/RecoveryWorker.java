package org.gradwire.bench.recovery;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.rpc.elastic.ElasticProgram;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker whose step is an all-gather of all workers, until a file exists. It prints the line of
 * {@link FirstStep} in each view.
 */
public final class RecoveryWorker implements ElasticProgram {
    private static final Duration PAUSE = Duration.ofMillis(2); // as if it computed

    private final Rpc rpc;
    private final Path stop;
    private FirstStep first;
    private long steps;

    private RecoveryWorker(Rpc rpc, Path stop) {
        this.rpc = rpc;
        this.stop = stop;
        first = new FirstStep(rpc, steps);
    }

    /** Do steps; the argument is the file. */
    public static void main(String[] args) {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            Elastic.on(rpc).run(new RecoveryWorker(rpc, Path.of(args[0])));
        }
    }

    @Override
    public void recover(GroupView view) {
        first = new FirstStep(rpc, steps);
    }

    @Override
    public boolean step(GroupView view) {
        boolean isLast =
                rpc.allGather(Files.exists(stop), Set.copyOf(view.names())).containsValue(true);
        steps++;
        first.done(steps);
        LockSupport.parkNanos(PAUSE.toNanos());
        return !isLast;
    }
}
