package org.gradwire.runtime.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.store.StoreSecurity;
import org.gradwire.runtime.store.TestStores;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Leases of the members of a dynamic group. */
class MemberLeaseTest {
    private static final WorkerInfo FIRST = new WorkerInfo(0, "first");
    private static final long PLACE = 7;
    private static final Duration LIFE = Store.MIN_LEASE;

    private final TestStores stores = new TestStores();
    private final Store own = open(0);
    private final Store others = open(1);

    private Store open(int rank) {
        return stores.open("inproc://leases", rank, 0, StoreSecurity.withToken(""), LIFE);
    }

    private static void unexpected(String reason) {
        throw new AssertionError(reason);
    }

    @AfterEach
    void close() {
        own.close();
        others.close();
    }

    @Test
    void aMemberThatLosesItsLeaseIsNotifiedAndNoLongerAwaited() throws Exception {
        BlockingQueue<String> reasons = new LinkedBlockingQueue<>();
        var lease = new MemberLease(own, LIFE);
        lease.acquire(FIRST, PLACE, reasons::add);
        assertNull(lease.lapse());
        var vanished =
                CompletableFuture.runAsync(
                        () -> new MemberLease(others, LIFE).awaitVanished(FIRST, PLACE));
        own.close(); // which ends its leases
        String reason =
                "WorkerInfo(id=0, name=first) has stopped: it could not renew its lease at the rendezvous for 1000 ms (gradwire.member-lease), so the other members may have continued without it; start it again when it can reach the rendezvous";
        assertEquals(reason, reasons.poll(60, TimeUnit.SECONDS));
        assertEquals(reason, lease.lapse());
        vanished.get(60, TimeUnit.SECONDS);
    }

    @Test
    void aMemberThatRenewsItsLeaseButCannotBeReachedIsReportedLater() {
        var lease = new MemberLease(own, LIFE);
        lease.acquire(FIRST, PLACE, MemberLeaseTest::unexpected);
        long start = System.nanoTime();
        new MemberLease(others, LIFE).awaitVanished(FIRST, PLACE);
        assertTrue(System.nanoTime() - start >= 3 * LIFE.toNanos());
        assertNull(lease.lapse());
        lease.close();
    }

    @Test
    void aMemberThatLeavesRemovesItsLease() throws Exception {
        BlockingQueue<String> reasons = new LinkedBlockingQueue<>();
        var lease = new MemberLease(own, LIFE);
        lease.acquire(FIRST, PLACE, reasons::add);
        lease.close();
        String key = Store.keyOf("first", "member/7");
        assertNull(others.watch(key, new byte[] {1}, LIFE));
        assertNull(reasons.poll(2 * LIFE.toMillis() / MemberLease.LOOKS, TimeUnit.MILLISECONDS));
    }

    @Test
    void aPlaceHasOneLease() {
        try (var lease = new MemberLease(own, LIFE)) {
            lease.acquire(FIRST, PLACE, MemberLeaseTest::unexpected);
            var second = new MemberLease(others, LIFE);
            String message =
                    assertThrows(
                                    RpcException.class,
                                    () -> second.acquire(FIRST, PLACE, MemberLeaseTest::unexpected))
                            .getMessage();
            assertEquals(
                    "the lease of WorkerInfo(id=0, name=first), which joined at place 7, exists already",
                    message);
        }
    }

    @Test
    void withoutATimeToLiveThereAreNoLeases() {
        var lease = new MemberLease(own, Duration.ZERO);
        lease.acquire(FIRST, PLACE, MemberLeaseTest::unexpected);
        assertNull(lease.lapse());
        lease.awaitVanished(FIRST, PLACE); // at once
        String key = Store.keyOf("first", "member/7");
        assertNull(others.watch(key, new byte[] {1}, LIFE));
    }
}
