package org.gradwire.store.etcd.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.JavaCommand;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Groups that meet in an etcd of one member. */
class EtcdGroupTest {
    private static final int SIZE = 3;

    private static EtcdCluster etcd;

    @BeforeAll
    static void start(@TempDir Path directory) {
        etcd = EtcdCluster.start(directory, 1);
    }

    @AfterAll
    static void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Test
    void aStaticGroupFormsCallsAndLeavesNoKeys() throws Exception {
        for (int run = 0; run < 3; run++) { // at once, with the same name
            runGroup(etcd.address("static"));
        }
        assertEquals(List.of(), etcd.keys("static/"));
    }

    private static void runGroup(String address) throws Exception {
        List<Future<?>> workers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int rank = 0; rank < SIZE; rank++) {
                int own = rank;
                workers.add(
                        threads.submit(() -> {
                            try (Rpc rpc = EtcdGroups.member(address, own, SIZE)) {
                                EtcdGroups.call(rpc, (own + 1) % SIZE);
                            }
                        }));
            }
        }
        for (Future<?> worker : workers) {
            worker.get();
        }
    }

    @Test
    void membersJoinAndLeaveADynamicGroup() throws Exception {
        String address = etcd.address("teams/dynamic");
        try (Rpc first = EtcdGroups.dynamicMember(address, 0)) {
            for (int round = 0; round < 2; round++) {
                try (Rpc second = EtcdGroups.dynamicMember(address, 1)) {
                    EtcdGroups.call(first, 1);
                    EtcdGroups.call(second, 0);
                }
            }
        }
        assertEquals(List.of(), etcd.keys("teams/dynamic/"));
    }

    /** The keys of the crashed worker are found, and its lease has not expired yet. */
    @Test
    void aJobThatCrashedDoesNotBlockTheNextOne() throws Exception {
        String address = etcd.address("crashed");
        List<String> command =
                JavaCommand.of(
                        List.of("-Dtest.address=" + address, "-Dtest.size=" + SIZE), Holder.class);
        Process first = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            etcd.awaitName("crashed", 0);
        } finally {
            first.destroyForcibly().waitFor();
        }
        runGroup(address);
        assertEquals(List.of(), etcd.keys("crashed/"));
    }

    @Test
    void twoWorkersWithOneRankAreRefused() throws Exception {
        String address = etcd.address("twins");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Rpc> first = threads.submit(() -> EtcdGroups.member(address, 0, 2));
            etcd.awaitName("twins", 0);
            String text =
                    assertThrows(
                                    RpcConfigurationException.class,
                                    () -> EtcdGroups.member(address, 0, 2))
                            .getMessage();
            assertTrue(text.startsWith("RPC worker id 0 is not unique"), text);
            assertFalse(first.isDone());
            threads.shutdownNow(); // the first one waits for the other rank
        }
        assertEquals(List.of(), etcd.keys("twins/"));
    }

    @Test
    void aWorkerThatWasPausedForLongerThanItsLeaseIsInItsRunAgain() {
        try (Store store = EtcdStores.open(etcd.address("paused"), 0, 0)) {
            store.set("key", new byte[] {1});
            String before = alive("paused");
            etcd.revokeLeaseOf(before);
            EtcdCluster.await("another entry", () -> !alive("paused").isEmpty());
            assertArrayEquals(new byte[] {1}, store.get("key", EtcdStores.LONG));
        }
        assertEquals("", alive("paused"));
    }

    private static String alive(String job) {
        return etcd.keys(job + "/").stream()
                .filter(key -> key.contains("/alive/"))
                .findFirst()
                .orElse("");
    }

    @Test
    void aRunWhoseKeysWereDeletedHasEnded() throws Exception {
        try (Store store = EtcdStores.open(etcd.address("deleted"), 0, 0)) {
            store.set("key", new byte[] {1});
            etcd.delete("deleted/");
            String text =
                    assertThrows(
                                    RpcConnectionException.class,
                                    () -> store.set("key", new byte[] {2}))
                            .getMessage();
            assertTrue(text.startsWith("the run of job deleted in etcd at 127.0.0.1:"), text);
        }
    }
}
