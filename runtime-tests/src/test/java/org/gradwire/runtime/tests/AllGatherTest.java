package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.tests.functions.Values.Counted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The messages of an all-gather, and its errors. */
@Timeout(60)
class AllGatherTest {
    private static final Duration LIMIT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(30);

    private static String timeOut(org.junit.jupiter.api.function.Executable gather) {
        return String.valueOf(assertThrows(RpcTimeoutException.class, gather).getMessage());
    }

    @Test
    void timeoutNamesItsLimit() throws Exception {
        var over = new CountDownLatch(1);
        InprocGroup.run(
                2,
                rpc -> {
                    if (rpc.self().id() == 0) {
                        assertEquals(
                                "Followers [worker1] timed out in an all-gather after 0.10 seconds. The first exception is the future was not complete within 100 ms",
                                timeOut(() -> rpc.allGather(1, Set.of(), LIMIT)));
                        over.countDown();
                    }
                    assertTrue(over.await(30, TimeUnit.SECONDS));
                });
    }

    @Test
    void followerGetsTheLeadersErrorThoughTheLeaderLeavesAtOnce() throws Exception {
        var over = new CountDownLatch(1);
        InprocGroup.run(
                3,
                rpc -> {
                    switch (rpc.self().id()) {
                        case 0 -> timeOut(() -> rpc.allGather(1, Set.of(), LIMIT));
                        case 1 -> {
                            // The leader's timeout is the first, perhaps before this value arrives.
                            String text = timeOut(() -> rpc.allGather(1, Set.of(), LONG));
                            assertTrue(
                                    text.matches(
                                            "(Error on Node 0: )?Followers \\[(worker1, )?worker2] timed out in an all-gather after 0\\.10 seconds\\..*"),
                                    text);
                            over.countDown();
                        }
                        default -> assertTrue(over.await(30, TimeUnit.SECONDS));
                    }
                });
    }

    @Test
    void leaderEncodesTheValuesOnce() throws Exception {
        int size = 5;
        Counted.ENCODED.set(0);
        InprocGroup.run(
                size,
                rpc -> {
                    var own = new Counted(rpc.self().id());
                    assertEquals(size, rpc.allGather(own, Set.of(), LONG).size());
                });
        // Each follower's value in a message to the leader, and all values in one message.
        assertEquals(size - 1 + size, Counted.ENCODED.get());
    }

    @Test
    void referencesAreSentToEachFollowerSeparately() throws Exception {
        InprocGroup.run(
                3,
                rpc -> {
                    RRef<Integer> own = rpc.rref(rpc.self().id());
                    Map<String, RRef<Integer>> all = rpc.allGather(own, Set.of(), LONG);
                    for (int id = 0; id < 3; id++) {
                        RRef<Integer> received = all.get("worker" + id);
                        assertEquals(id, received == null ? -1 : received.toHere());
                    }
                    rpc.barrier();
                    all.values().forEach(RRef::close);
                    own.close();
                });
    }

    @Test
    void starInTheSettingsOfFaultyLosesItsMessages() throws Exception {
        String meeting = "inproc://" + UUID.randomUUID();
        List<Future<String>> ends = new ArrayList<>();
        var both = new CyclicBarrier(2);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int rank = 0; rank < 2; rank++) {
                RpcOptions options =
                        RpcOptions.builder()
                                .rank(rank)
                                .worldSize(2)
                                .rendezvous(meeting)
                                .backend("faulty")
                                .set("gradwire.faulty.backend", "inproc")
                                .set("gradwire.faulty.messages-to-fail", "")
                                .set("gradwire.faulty.requests-to-lose", "*:1")
                                .build();
                ends.add(
                        threads.submit(() -> {
                            Rpc rpc = Rpc.init(options);
                            try {
                                String text = timeOut(() -> rpc.allGather(1, Set.of(), LIMIT));
                                both.await(30, TimeUnit.SECONDS);
                                return text;
                            } finally {
                                rpc.shutdownNow();
                            }
                        }));
            }
            assertTrue(ends.get(0).get().startsWith("Followers [worker1] timed out"));
            assertEquals(
                    "RPCErr:1:RPC ran for more than set timeout (100 ms) and will now be marked with an error: GATHER_REQ on worker0",
                    ends.get(1).get());
        }
    }
}
