package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * All-gathers when a worker closes whose value is missing. The failed workers wait for each other
 * before they close, so that no error names a second one that leaves.
 */
@Timeout(60)
class LeavingTest {
    private static void assertTold(String leaver, String sequence, RpcException failure) {
        assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
        assertTrue(
                failure.getMessage()
                        .contains(
                                leaver
                                        + " is leaving the group, so "
                                        + sequence
                                        + " cannot complete; all of them have to take part before one of"
                                        + " them closes"),
                failure.getMessage());
    }

    private static void countDownAndAwait(CountDownLatch latch) throws InterruptedException {
        latch.countDown();
        assertTrue(latch.await(30, TimeUnit.SECONDS));
    }

    @Test
    void barrierFailsForAllWhenAFollowerLeaves() throws Exception {
        var failed = new CountDownLatch(2);
        InprocGroup.run(
                3,
                rpc -> {
                    if (rpc.self().id() != 2) {
                        assertTold(
                                "worker2",
                                "worker0,worker1,worker2#1",
                                assertThrows(RpcException.class, () -> rpc.barrier(Set.of())));
                        countDownAndAwait(failed);
                    }
                });
    }

    @Test
    void allGatherFailsForAllWhenItsLeaderLeaves() throws Exception {
        var failed = new CountDownLatch(2);
        InprocGroup.run(
                3,
                rpc -> {
                    if (rpc.self().id() != 0) {
                        assertTold(
                                "worker0",
                                "worker0,worker1,worker2#1",
                                assertThrows(RpcException.class, () -> rpc.allGather("value")));
                        countDownAndAwait(failed);
                    }
                });
    }

    @Test
    void lateMemberFailsIfAnotherHasLeft() throws Exception {
        var failed = new CountDownLatch(1);
        InprocGroup.run(
                3,
                rpc -> {
                    switch (rpc.self().id()) {
                        case 0 -> {
                            assertThrows(RpcException.class, () -> rpc.barrier(Set.of()));
                            failed.countDown();
                        }
                        case 1 -> {
                            assertTrue(failed.await(30, TimeUnit.SECONDS));
                            assertThrows(RpcException.class, () -> rpc.barrier(Set.of()));
                        }
                        default -> {}
                    }
                });
    }

    @Test
    void remainingMembersGatherWithoutOneThatLeft() throws Exception {
        InprocGroup.run(
                3,
                rpc -> {
                    if (rpc.self().id() == 2) {
                        return;
                    }
                    assertThrows(RpcException.class, () -> rpc.barrier(Set.of()));
                    Map<String, Integer> all =
                            rpc.allGather(
                                    rpc.self().id(),
                                    Set.of("worker0", "worker1"),
                                    Duration.ofSeconds(30));
                    assertEquals(Map.of("worker0", 0, "worker1", 1), all);
                });
    }

    @Test
    void leavingRightAfterAnAllGatherDoesNotAffectOthers() throws Exception {
        for (int i = 0; i < 50; i++) {
            InprocGroup.run(
                    4,
                    rpc -> {
                        assertEquals(4, rpc.allGather(rpc.self().id()).size());
                        rpc.barrier(Set.of());
                    });
        }
    }
}
