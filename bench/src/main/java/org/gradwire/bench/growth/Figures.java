package org.gradwire.bench.growth;

import org.gradwire.rpc.Rpc;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Waits until a worker reports a figure of {@link Rpc#debugInfo()}, which follows late messages.
 */
final class Figures {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Figures() {}

    static void await(Rpc rpc, String worker, String name, long value) throws Exception {
        long begin = System.nanoTime();
        long now;
        while ((now = rpc.rpcSync(worker, PeerState::figure, name)) != value) {
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new TimeoutException(
                        "%s of %s is %d instead of %d after %s"
                                .formatted(name, worker, now, value, PATIENCE));
            }
            Thread.sleep(1);
        }
    }
}
