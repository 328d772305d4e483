package org.gradwire.runtime.stream;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.util.HashMap;
import java.util.Map;

/** Limits the credits of each consumer in all its streams of a worker. Thread-safe. */
final class CreditLimit {
    private static final int MOST = 1_000_000;

    private final Map<Integer, Integer> byConsumer = new HashMap<>(); // guarded by this

    /**
     * Add credits of a consumer.
     *
     * @throws RpcException if it has too many
     */
    synchronized void add(int consumer, int credits) {
        int held = byConsumer.getOrDefault(consumer, 0);
        if (credits > MOST - held) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "worker %d has %d credits in streams here and asks for %d more, of at most %d; close streams or grant fewer"
                            .formatted(consumer, held, credits, MOST));
        }
        byConsumer.put(consumer, held + credits);
    }

    /** Remove credits of a consumer whose values were sent or are no longer wanted. */
    synchronized void remove(int consumer, int credits) {
        byConsumer.computeIfPresent(
                consumer, (_, held) -> held <= credits ? null : Integer.valueOf(held - credits));
    }
}
