package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcScope;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * A star in the settings of {@code faulty} selects each message of a program: here all requests
 * arrive twice, and the program's results are the same.
 */
@Timeout(60)
class AllMessagesAreFaultyTest {
    private final String meeting = "inproc://" + UUID.randomUUID();
    private final List<Rpc> workers = new ArrayList<>();

    private Rpc join(int rank) {
        return Rpc.init(
                RpcOptions.builder()
                        .rank(rank)
                        .dynamicGroup()
                        .rendezvous(meeting)
                        .backend("faulty")
                        .set("gradwire.faulty.backend", "inproc")
                        .set("gradwire.faulty.messages-to-fail", "")
                        .set("gradwire.faulty.messages-to-delay", "")
                        .set("gradwire.faulty.requests-to-repeat", "*:1")
                        .build());
    }

    @AfterEach
    void close() {
        workers.forEach(Rpc::shutdownNow);
    }

    private static int repeated(Rpc rpc) {
        return Integer.parseInt(
                rpc.debugInfo().getOrDefault("faulty.repeated_requests", "there is no metric"));
    }

    private interface Action<T> {
        T run() throws Exception;
    }

    private static <T> T assertRepeats(String action, Rpc rpc, Action<T> what) throws Exception {
        int before = repeated(rpc);
        T result = what.run();
        assertTrue(repeated(rpc) > before, action);
        return result;
    }

    @Test
    void joinsSavesLoadsGathersAndShutdownsAreRepeated() throws Exception {
        Rpc first = join(0);
        workers.add(first);
        Rpc second = join(1);
        workers.add(second);
        InprocWorkers.awaitMembers(first, 2);
        assertTrue(repeated(second) > 0, "the join");

        RRef<Integer> sum =
                assertRepeats("remote", first, () -> first.remote("worker1", Numbers::add, 2, 3));
        byte[] saved =
                assertRepeats(
                        "a save",
                        first,
                        () -> {
                            try (RpcScope _ = first.serialization().allowReferences()) {
                                return first.serialization().toBytes(sum);
                            }
                        });
        RRef<?> loaded =
                assertRepeats(
                        "a load", first, () -> first.serialization().fromBytes(saved, RRef.class));
        assertEquals(5, loaded.toHere());

        CompletableFuture<Map<String, Integer>> other =
                InprocWorkers.onThread(() -> second.allGather(1));
        Map<String, Integer> gathered =
                assertRepeats("an all-gather", first, () -> first.allGather(0));
        assertEquals(Map.of("worker0", 0, "worker1", 1), gathered);
        assertEquals(gathered, other.join());

        int before = repeated(second);
        loaded.close();
        sum.close();
        second.shutdown();
        assertTrue(repeated(second) > before, "the departure");
    }
}
