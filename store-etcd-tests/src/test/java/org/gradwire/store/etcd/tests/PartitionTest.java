package org.gradwire.store.etcd.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import org.gradwire.conformance.harness.ProcessHost;
import org.gradwire.conformance.network.LinkFaults;
import org.gradwire.conformance.network.Network;
import org.gradwire.store.etcd.tests.WorkerProcess.Line;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A group of three workers on two hosts, which meets in etcd on the first one, while the network
 * between them is cut or a worker is suspended. The hosts are Linux namespaces, which need root.
 *
 * <p>System property {@value #EXTENT} set to {@code all} adds cuts of up to 60 s.
 */
class PartitionTest {
    static final String EXTENT = "etcd.partitions";
    private static final long SEED = 1; // of faults that have the probability 0
    private static final int SIZE = 3;
    private static final int LEASE_SECONDS = 3;
    private static final int LIVENESS_SECONDS = 6;
    private static final String ALL = "view [worker0, worker1, worker2]";
    private static final String TWO = "view [worker0, worker1]";
    private static final String REACHED = "reached [worker0, worker1, worker2]";
    private static final String STOPPED =
            "stopped WorkerInfo(id=2, name=worker2) has stopped: it could not renew its lease at the rendezvous for 3000 ms";

    private final List<WorkerProcess> workers = new ArrayList<>();
    private Network network;
    private Process etcd;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        Path binary = EtcdCluster.binary();
        String obstacle = Network.obstacle();
        if (!obstacle.isEmpty()) {
            abort("this machine cannot create hosts in namespaces: " + obstacle);
        }
        network = Network.start(new LinkFaults(0, Duration.ZERO, Duration.ZERO, SEED));
        String endpoint = "http://" + network.left().address() + ":2379";
        etcd =
                new ProcessBuilder(
                                network.left()
                                        .enter(
                                                List.of(
                                                        binary.toString(),
                                                        "--data-dir",
                                                        directory.resolve("etcd").toString(),
                                                        "--listen-client-urls",
                                                        endpoint,
                                                        "--advertise-client-urls",
                                                        endpoint)))
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("etcd.log").toFile())
                        .start();
        for (int rank = 0; rank < SIZE; rank++) {
            workers.add(start(rank, 0));
        }
        for (WorkerProcess worker : workers) {
            worker.await(worker.await(0, ALL).nanos(), REACHED);
        }
    }

    private WorkerProcess start(int rank, int restarts) throws IOException {
        ProcessHost host = rank == SIZE - 1 ? network.right() : network.left();
        return WorkerProcess.start(
                host,
                rank,
                List.of(
                        "-Dgradwire.rendezvous=etcd://" + network.left().address() + ":2379/job",
                        "-Dgradwire.authentication-token=of-the-partition-test",
                        "-Dgradwire.restart=" + restarts,
                        "-Dgradwire.member-lease=" + LEASE_SECONDS + "s",
                        "-Dgradwire.tensorpipe.liveness=" + LIVENESS_SECONDS + "s"));
    }

    @AfterEach
    void stop() {
        workers.forEach(WorkerProcess::close);
        if (network != null) {
            etcd.destroyForcibly();
            network.close();
        }
    }

    private static IntStream cuts() {
        return "all".equals(System.getProperty(EXTENT))
                ? IntStream.of(1, 5, 10, 20, 40, 60)
                : IntStream.of(1, 10);
    }

    @ParameterizedTest
    @MethodSource("cuts")
    void onlyTheSideWithTheStoreContinues(int seconds) throws Exception {
        long start = System.nanoTime();
        network.cut();
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(seconds)); // the fault itself
        network.heal();
        long healed = System.nanoTime();
        if (seconds < LEASE_SECONDS - 1) {
            assertNothingChanged(start, healed);
        } else {
            assertTheOthersContinued(start, 2);
        }
        for (WorkerProcess worker : workers) {
            worker.leave();
        }
    }

    /** A cut shorter than the lease delays calls. */
    private void assertNothingChanged(long start, long healed) {
        for (WorkerProcess worker : workers) {
            worker.await(healed, REACHED);
            assertEquals(0, worker.views(start), worker::toString);
        }
    }

    /** Assert that a worker stopped before the others began a view without it, and restart it. */
    private void assertTheOthersContinued(long start, int stopped) throws IOException {
        WorkerProcess lost = workers.remove(stopped);
        lost.await(start, STOPPED.replace("2", Integer.toString(stopped)));
        String others = stopped == 2 ? TWO : "view [worker0, worker2]";
        for (WorkerProcess worker : workers) {
            Line view = worker.await(start, others);
            assertTrue(lost.lastStep() < view.nanos(), () -> lost + " and " + worker);
            worker.await(view.nanos(), others.replace("view", "reached"));
        }
        lost.close();
        long now = System.nanoTime();
        workers.add(start(stopped, 1));
        for (WorkerProcess worker : workers) {
            worker.await(worker.await(now, ALL).nanos(), REACHED);
        }
    }

    @Test
    void aWorkerThatIsSuspendedForLongStopsWhenItContinues() throws Exception {
        WorkerProcess suspended = workers.get(1);
        long start = System.nanoTime();
        suspended.signal("STOP");
        for (WorkerProcess worker : List.of(workers.get(0), workers.get(2))) {
            Line view = worker.await(start, "view [worker0, worker2]");
            worker.await(view.nanos(), "reached [worker0, worker2]");
        }
        suspended.signal("CONT");
        assertTheOthersContinued(start, 1);
        for (WorkerProcess worker : workers) {
            worker.leave();
        }
    }
}
