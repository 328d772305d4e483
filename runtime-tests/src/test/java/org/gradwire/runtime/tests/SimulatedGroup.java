package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcTimeoutException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Workers {@code worker0}, {@code worker1} ... in simulated time. */
final class SimulatedGroup implements AutoCloseable {
    private final List<Rpc> workers = new ArrayList<>();

    SimulatedGroup(int size, int seed, Map<String, String> settings) throws Exception {
        String meeting = "inproc://" + UUID.randomUUID();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Rpc>> joining = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                RpcOptions.Builder options =
                        RpcOptions.builder()
                                .rank(rank)
                                .worldSize(size)
                                .rendezvous(meeting)
                                .backend("inproc")
                                .set("gradwire.simulation.seed", Integer.toString(seed));
                settings.forEach(options::set);
                joining.add(threads.submit(() -> Rpc.init(options.build())));
            }
            for (Future<Rpc> each : joining) {
                workers.add(each.get());
            }
        }
    }

    int size() {
        return workers.size();
    }

    Rpc get(int rank) {
        return workers.get(rank);
    }

    /** Advance the time. */
    void pass(Duration time) {
        assertThrows(RpcTimeoutException.class, () -> get(0).promise().join(time));
    }

    /** {@return a hash of the order of all deliveries so far, and their number} */
    String trace() {
        Map<String, String> info = get(0).debugInfo();
        return info.get("simulation.trace") + " of " + info.get("simulation.deliveries");
    }

    @Override
    public void close() {
        workers.forEach(Rpc::shutdownNow);
    }
}
