package org.gradwire.runtime.tests;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Workers {@code worker0}, {@code worker1} ... in this JVM, of which a test may lose some. */
public final class InprocWorkers implements AutoCloseable {
    private final List<Rpc> workers;

    public InprocWorkers(int size) {
        this(size, false);
    }

    /**
     * Start a group.
     *
     * @param dynamic whether its workers may leave it
     */
    InprocWorkers(int size, boolean dynamic) {
        String meeting = "inproc://" + UUID.randomUUID();
        List<CompletableFuture<Rpc>> starting = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            RpcOptions.Builder common =
                    RpcOptions.builder().rank(rank).backend("inproc").rendezvous(meeting);
            RpcOptions options = (dynamic ? common.dynamicGroup() : common.worldSize(size)).build();
            starting.add(onThread(() -> Rpc.init(options)));
        }
        workers = starting.stream().map(CompletableFuture::join).toList();
        workers.forEach(worker -> awaitMembers(worker, size));
    }

    /** Wait for all members; in a dynamic group a worker joins without the later ones. */
    static void awaitMembers(Rpc worker, int size) {
        while (worker.workers().size() < size) {
            LockSupport.parkNanos(100_000);
        }
    }

    /** Run a task on a new thread. */
    public static <T> CompletableFuture<T> onThread(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> Thread.ofPlatform().start(run));
    }

    public Rpc get(int rank) {
        return workers.get(rank);
    }

    /** Stop all workers immediately. */
    @Override
    public void close() {
        workers.forEach(Rpc::shutdownNow);
    }
}
