package org.gradwire.bench.growth;

import org.gradwire.rpc.Rpc;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Polls a metric of {@link Rpc#debugInfo()} on a worker until it has a value, since messages in
 * flight change it.
 */
final class MetricPolling {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private MetricPolling() {}

    static void await(Rpc rpc, String worker, String name, long value) throws Exception {
        long begin = System.nanoTime();
        long now;
        while ((now = rpc.rpcSync(worker, PeerState::metric, name)) != value) {
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new TimeoutException(
                        "%s of %s is %d instead of %d after %s"
                                .formatted(name, worker, now, value, PATIENCE));
            }
            Thread.sleep(1);
        }
    }
}
