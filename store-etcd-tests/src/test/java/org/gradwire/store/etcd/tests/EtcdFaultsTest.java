package org.gradwire.store.etcd.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.spi.Lease;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Groups that meet in an etcd of three members, one of which is killed or stopped. */
class EtcdFaultsTest {
    private static final int SIZE = 3;

    private static EtcdCluster etcd;

    @BeforeAll
    static void start(@TempDir Path directory) {
        etcd = EtcdCluster.start(directory, 3);
    }

    @AfterAll
    static void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Test
    void aGroupFormsAndRunsWhileTheLeaderIsKilled() throws Exception {
        EtcdServer leader = etcd.leader();
        formAround("killed", leader::kill);
        leader.restart();
        EtcdCluster.await("the member is back", leader::isReady);
        assertEquals(List.of(), etcd.keys("killed/"));
    }

    /** The first one, which all workers ask first. */
    @Test
    void aGroupFormsAndRunsWhileAMemberDoesNotReply() throws Exception {
        EtcdServer first = etcd.server(0);
        try {
            formAround("stopped", () -> first.signal("STOP"));
        } finally {
            first.signal("CONT");
        }
        EtcdCluster.await("the member is back", first::isReady);
        assertEquals(List.of(), etcd.keys("stopped/"));
    }

    private interface Fault {
        void happen() throws Exception;
    }

    /** Two workers wait for the third when the fault happens. */
    private static void formAround(String job, Fault fault) throws Exception {
        String address = etcd.address(job);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Rpc>> joining = new ArrayList<>();
            for (int rank = 0; rank < SIZE - 1; rank++) {
                int own = rank;
                joining.add(threads.submit(() -> EtcdGroups.member(address, own, SIZE)));
                etcd.awaitName(job, rank);
            }
            fault.happen();
            joining.add(threads.submit(() -> EtcdGroups.member(address, SIZE - 1, SIZE)));
            List<Rpc> group = new ArrayList<>();
            for (Future<Rpc> worker : joining) {
                group.add(worker.get());
            }
            for (int rank = 0; rank < SIZE; rank++) {
                EtcdGroups.call(group.get(rank), (rank + 1) % SIZE);
            }
            List<Future<?>> closing = new ArrayList<>();
            for (Rpc worker : group) {
                closing.add(threads.submit(worker::close));
            }
            for (Future<?> close : closing) {
                close.get();
            }
        }
    }

    @Test
    void additionsTakeEffectOnceAndLeasesAreKeptWhileTheLeaderIsKilled() throws Exception {
        String address = etcd.address("sums");
        Set<Long> sums = new ConcurrentSkipListSet<>();
        var enough = new AtomicBoolean();
        List<Store> stores = new ArrayList<>();
        for (int id = 0; id < SIZE; id++) {
            stores.add(EtcdStores.open(address, id, 0));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Lease lease =
                        stores.getFirst()
                                .acquire("leader", new byte[] {1}, Duration.ofSeconds(10))
                                .orElseThrow()) {
            List<Future<Long>> adding = new ArrayList<>();
            for (Store store : stores) {
                adding.add(threads.submit(() -> addUntil(enough, store, sums)));
            }
            EtcdCluster.await("some additions", () -> sums.size() >= 30);
            EtcdServer leader = etcd.leader();
            leader.kill();
            int before = sums.size();
            EtcdCluster.await("additions without it", () -> sums.size() >= before + 30);
            leader.restart();
            EtcdCluster.await("the member is back", leader::isReady);
            enough.set(true);
            long count = 0;
            for (Future<Long> each : adding) {
                count += each.get();
            }
            assertEquals(
                    LongStream.rangeClosed(1, count).boxed().collect(Collectors.toSet()), sums);
            assertTrue(lease.isHeld());
        } finally {
            stores.forEach(Store::close);
        }
        assertEquals(List.of(), etcd.keys("sums/"));
    }

    private static long addUntil(AtomicBoolean enough, Store store, Set<Long> sums) {
        long count = 0;
        while (!enough.get()) {
            sums.add(store.add("sum", 1));
            count++;
        }
        return count;
    }
}
