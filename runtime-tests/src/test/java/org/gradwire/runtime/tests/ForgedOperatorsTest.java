package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.tests.functions.Streams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Calls of the operators of broadcasts and streams that no honest worker makes. */
@Timeout(120)
class ForgedOperatorsTest {
    private static final long NO_WAIT = 0L;

    private final InprocWorkers workers = new InprocWorkers(3);
    private final Rpc rpc = workers.get(0);

    @AfterEach
    void stop() {
        workers.close();
    }

    @Builtin("gradwire::broadcast")
    static List<RRef<Object>> broadcast(
            List<Object> workers, Object value, List<Object> senders, Long timeoutNanos) {
        return List.of();
    }

    @Builtin("gradwire::stream_open")
    static Object open(Object values, Long idleNanos) {
        return values;
    }

    @Builtin("gradwire::stream_next")
    static List<Object> next(Object source, Long number, Integer credits, Long waitNanos) {
        return List.of();
    }

    @Builtin("gradwire::stream_close")
    static Boolean close(Object source) {
        return true;
    }

    private static void assertRefused(String reason, Executable call) {
        var failure = assertThrows(RuntimeException.class, call);
        assertTrue(String.valueOf(failure.getMessage()).contains(reason), failure::toString);
    }

    private void broadcast(List<Object> names, List<Object> senders) {
        rpc.rpcSync("worker1", ForgedOperatorsTest::broadcast, names, "text", senders, NO_WAIT);
    }

    @Test
    void broadcastsNameTheCalleeFirstAndEachWorkerOnce() {
        String rule = "must be different names, that of worker1 first";
        assertRefused(rule, () -> broadcast(List.of(), List.of()));
        assertRefused(rule, () -> broadcast(List.of("worker2", "worker1"), List.of()));
        assertRefused(rule, () -> broadcast(List.of("worker1", "worker1"), List.of()));
        assertRefused(rule, () -> broadcast(List.of("worker1", 2), List.of()));
        assertRefused("worker9", () -> broadcast(List.of("worker1", "worker9"), List.of()));
        Metrics.awaitNothingOwned(workers.get(1));
    }

    @Test
    void sendersOfABroadcastAreIds() {
        String rule = "must be at most 64 ids of workers";
        assertRefused(rule, () -> broadcast(List.of("worker1"), List.of("worker2")));
        assertRefused(
                rule, () -> broadcast(List.of("worker1"), Collections.nCopies(65, (Object) 2)));
    }

    @Test
    void onlySourcesAreRead() {
        try (RRef<Object> none = rpc.remote("worker1", Streams::text)) {
            assertRefused(
                    "not one to the source of a stream",
                    () -> none.rpcSync(ForgedOperatorsTest::next, 0L, 1, NO_WAIT));
            assertRefused(
                    "not one to the source of a stream",
                    () -> none.rpcSync(ForgedOperatorsTest::close));
            try (RRef<Object> source = none.remote(ForgedOperatorsTest::open, 1L)) {
                assertRefused(
                        "the function returned a java.lang.String",
                        () -> source.rpcSync(ForgedOperatorsTest::next, 0L, 1, NO_WAIT));
            }
        }
    }

    @Test
    void requestsHaveTheNextNumberAndFewCredits() {
        try (RRef<Iterator<Integer>> values = rpc.remote("worker1", Streams::count, 100, "end");
                RRef<Object> source = values.remote(ForgedOperatorsTest::open, Long.MAX_VALUE)) {
            for (int credits : List.of(-1, 65_537, Integer.MAX_VALUE)) {
                assertRefused(
                        "at most 65536 credits",
                        () -> source.rpcSync(ForgedOperatorsTest::next, 0L, credits, NO_WAIT));
            }
            for (long number : List.of(-1L, 65L, Long.MAX_VALUE)) {
                assertRefused(
                        "is not expected",
                        () -> source.rpcSync(ForgedOperatorsTest::next, number, 0, NO_WAIT));
            }
            long wait = Long.MAX_VALUE;
            assertEquals(List.of(false, 0), source.rpcSync(ForgedOperatorsTest::next, 0L, 1, wait));
            assertRefused(
                    "is not expected",
                    () -> source.rpcSync(ForgedOperatorsTest::next, 0L, 1, NO_WAIT));
        }
        Metrics.awaitNothingOwned(workers.get(1));
    }
}
