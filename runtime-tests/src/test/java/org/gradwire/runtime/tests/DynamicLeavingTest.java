package org.gradwire.runtime.tests;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

class DynamicLeavingTest {
    private static final int WORKERS = 6;
    private static final int PATIENCE_SECONDS = 60;

    /** A worker that leaves notifies peers, which may have left before. */
    @RepeatedTest(20)
    @Timeout(2 * PATIENCE_SECONDS)
    void allMembersOfADynamicGroupMayLeaveAtTheSameTime() throws Exception {
        String meeting = "inproc://" + UUID.randomUUID();
        var together = new CyclicBarrier(WORKERS);
        List<Future<?>> ends = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(WORKERS)) {
            for (int rank = 0; rank < WORKERS; rank++) {
                RpcOptions options =
                        RpcOptions.builder()
                                .rank(rank)
                                .dynamicGroup()
                                .backend("inproc")
                                .rendezvous(meeting)
                                .build();
                ends.add(threads.submit(() -> joinAndLeave(options, together)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private static Object joinAndLeave(RpcOptions options, CyclicBarrier together)
            throws Exception {
        try (Rpc rpc = Rpc.init(options)) {
            together.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return rpc.self();
        }
    }
}
