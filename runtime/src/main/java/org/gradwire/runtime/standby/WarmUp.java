package org.gradwire.runtime.standby;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.gradwire.runtime.config.RuntimeSettings;

import java.time.Duration;
import java.util.Set;

/**
 * A group of two workers inside this JVM, which does one step and ends. The first group of a JVM
 * takes about ten times as long to form as the next one.
 */
final class WarmUp {
    private static final System.Logger LOG = System.getLogger(WarmUp.class.getName());
    private static final int WORKERS = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private WarmUp() {}

    /** Begin, on daemon threads; a failure is logged. */
    static void start() {
        for (int rank = 0; rank < WORKERS; rank++) {
            RpcOptions options = options(rank);
            Thread.ofPlatform().daemon().name("warm-up-" + rank).start(() -> run(options));
        }
    }

    private static RpcOptions options(int rank) {
        String group = "standby-" + ProcessHandle.current().pid();
        return RpcOptions.builder()
                .set(RuntimeSettings.NAME, group + "-" + rank)
                .set(RuntimeSettings.RANK, Integer.toString(rank))
                .set(RuntimeSettings.WORLD_SIZE, Integer.toString(WORKERS))
                .set(RuntimeSettings.GROUP, "dynamic")
                .set(RuntimeSettings.QUORUM, Integer.toString(WORKERS))
                .set(RuntimeSettings.RENDEZVOUS, "inproc://" + group)
                .set(RuntimeSettings.READY_FILE, "")
                .build();
    }

    private static void run(RpcOptions options) {
        try (Rpc rpc = Rpc.init(options)) {
            Elastic.on(rpc).timeout(TIMEOUT).run(new OneStep(rpc));
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "the warm-up of a standby failed", e);
        }
    }

    private record OneStep(Rpc rpc) implements ElasticProgram {
        @Override
        public void recover(GroupView view) {}

        @Override
        public boolean step(GroupView view) {
            rpc.allGather(rpc.self().id(), Set.copyOf(view.names()));
            return false;
        }
    }
}
