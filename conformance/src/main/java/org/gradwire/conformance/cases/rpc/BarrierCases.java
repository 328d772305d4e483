package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.LogCapture;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.ThreadWorld;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.junit.jupiter.api.Tag;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Cases of barriers. */
@Tag("quick")
public abstract class BarrierCases extends NestedSuite {
    private static final String LOGGER = "org.gradwire.rpc";
    private static final Set<String> FIRST_TWO = Set.of("worker0", "worker1");

    /** For subclasses. */
    protected BarrierCases() {}

    @Case("API-012")
    void nobodyPassesBeforeAllHaveCome() {
        var arrivals = new AtomicInteger();
        world(4).run(self -> {
            for (int round = 1; round <= 5; round++) {
                arrivals.incrementAndGet();
                self.rpc().barrier();
                int came = arrivals.get();
                assertTrue(came >= 4 * round, came + " workers had arrived in round " + round);
            }
        });
        assertEquals(20, arrivals.get());
    }

    @Case("API-012")
    void whoIsNotNamedTakesNoPart() {
        var arrivals = new AtomicInteger();
        var passed = new CountDownLatch(2);
        world(4).run(self -> {
            if (self.id() < 2) {
                arrivals.incrementAndGet();
                self.rpc().barrier(FIRST_TWO);
                assertEquals(2, arrivals.get());
                passed.countDown();
            } else {
                assertTrue(
                        passed.await(30, TimeUnit.SECONDS),
                        "the named workers did not pass the barrier");
            }
        });
    }

    @Case("API-012")
    void aBarrierThatFailsRaises() {
        aloneOnRank0(
                world(3),
                rpc ->
                        Expect.failure(
                                RpcException.class,
                                "^Failed to complete barrier, got error Followers \\[worker1\\] timed out",
                                () -> rpc.barrier(FIRST_TWO)));
    }

    @Case("API-012")
    void aBarrierThatFailsIsLoggedOnlyWhereThatIsWanted() {
        aloneOnRank0(
                world(3).with("gradwire.barrier-failure", "log"),
                rpc -> {
                    try (LogCapture log = LogCapture.of(LOGGER)) {
                        rpc.barrier(FIRST_TWO);
                        assertTrue(log.has("Failed to complete barrier, got error ", "[worker1]"));
                    }
                });
    }

    /** Run an action on rank 0 with a short timeout; the other ranks shut down after it. */
    private static void aloneOnRank0(ThreadWorld world, Consumer<Rpc> body) {
        var done = new CountDownLatch(1);
        world.run(self -> {
            if (self.id() == 0) {
                self.rpc().rpcTimeout(Duration.ofMillis(300));
                body.accept(self.rpc());
                self.rpc().rpcTimeout(Duration.ofSeconds(60));
                done.countDown();
            } else {
                assertTrue(done.await(30, TimeUnit.SECONDS), "the barrier did not end");
            }
        });
    }

    @Case("API-013")
    void allWorkersMayWaitForAllRepeatedly() {
        world(4).run(self -> {
            for (int i = 0; i < 3; i++) {
                assertEquals(4, self.rpc().allGather(null).size());
                self.rpc().barrier();
            }
        });
    }

    @Case("API-013")
    void whoDoesNotComeInTimeToLeaveIsMissed() {
        var failed = new CountDownLatch(2);
        world(4).withoutGracefulShutdown()
                .run(self -> {
                    if (self.id() < 2) {
                        try (LogCapture log = LogCapture.of(LOGGER)) {
                            String text = "the orderly shutdown of the group failed: ";
                            Expect.failure(
                                    RpcException.class,
                                    "^" + text,
                                    () -> self.rpc().shutdown(Duration.ofMillis(500)));
                            assertTrue(log.has(self.name(), text));
                        }
                        failed.countDown();
                    } else {
                        assertTrue(
                                failed.await(30, TimeUnit.SECONDS),
                                "the first two workers did not time out");
                    }
                });
    }
}
