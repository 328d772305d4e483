package org.gradwire.runtime.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.store.StoreSecurity;
import org.gradwire.runtime.store.TestStores;
import org.gradwire.runtime.thread.InFlightCounter;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

class QuiescenceTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final TestStores stores = new TestStores();

    /** A worker of a group of two, reduced to its counts. */
    private final class Member {
        private final Store store;
        private final InFlightCounter outgoing = new InFlightCounter();
        private final InFlightCounter incoming = new InFlightCounter();
        private final Quiescence quiescence;

        Member(int rank) {
            store = stores.open("inproc://group", rank, 2, StoreSecurity.withToken(""), TIMEOUT);
            var self = new WorkerInfo(rank, "worker" + rank);
            quiescence =
                    new Quiescence(
                            new StaticGroup(self, 2, store, TIMEOUT), List.of(outgoing, incoming));
        }

        CompletableFuture<Boolean> await(BooleanSupplier giveUp) {
            return CompletableFuture.supplyAsync(
                    () -> quiescence.await(giveUp),
                    task -> Thread.ofPlatform().daemon().start(task));
        }

        void awaitReport(int round) {
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            while (store.add("barrier/calls/" + round, 0) == 0) {
                assertTrue(System.nanoTime() < deadline, "the worker did not report");
                LockSupport.parkNanos(100_000);
            }
        }
    }

    @Test
    void aGroupAtRestIsFoundSo() throws Exception {
        var first = new Member(0);
        var second = new Member(1);
        CompletableFuture<Boolean> found = first.await(() -> false);
        assertTrue(second.await(() -> false).get(10, TimeUnit.SECONDS));
        assertTrue(found.get(10, TimeUnit.SECONDS));
    }

    @Test
    void aCallThatBeginsAfterItsWorkerHasReportedIsWaitedFor() throws Exception {
        var first = new Member(0);
        var second = new Member(1);
        List<Integer> underWay = new ArrayList<>(); // while the first worker waits for its calls
        BooleanSupplier atRest =
                () -> {
                    if (first.store.add("barrier/calls/0", 0) == 2 && first.outgoing.count() > 0) {
                        underWay.add(first.outgoing.count());
                        first.outgoing.end();
                    }
                    return false;
                };
        CompletableFuture<Boolean> found = first.await(atRest);
        first.awaitReport(0);
        first.outgoing.begin(); // like a served call whose caller has not reported yet
        assertTrue(second.await(() -> false).get(10, TimeUnit.SECONDS));
        assertTrue(found.get(10, TimeUnit.SECONDS));
        assertEquals(List.of(1), underWay);
    }

    @Test
    void aCallThatBeganAndEndedBetweenTwoRoundsMakesAThird() throws Exception {
        var first = new Member(0);
        var second = new Member(1);
        CompletableFuture<Boolean> found = first.await(() -> false);
        first.awaitReport(0);
        first.incoming.begin();
        first.incoming.end();
        assertTrue(second.await(() -> false).get(10, TimeUnit.SECONDS));
        assertTrue(found.get(10, TimeUnit.SECONDS));
        assertEquals(2, second.store.add("barrier/calls/2", 0));
    }

    @Test
    void theWaitIsGivenUp() {
        var member = new Member(0);
        member.outgoing.begin();
        assertFalse(member.quiescence.await(() -> true));
    }
}
