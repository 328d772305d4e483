package org.gradwire.runtime.tests;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Workers {@code worker0}, {@code worker1} and so on in this JVM, of which some may be lost. */
public final class InprocWorkers implements AutoCloseable {
    private final List<Rpc> workers;

    public InprocWorkers(int size) {
        String meeting = "inproc://" + UUID.randomUUID();
        List<CompletableFuture<Rpc>> starting = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            RpcOptions options =
                    RpcOptions.builder()
                            .rank(rank)
                            .worldSize(size)
                            .backend("inproc")
                            .rendezvous(meeting)
                            .build();
            starting.add(onThread(() -> Rpc.init(options)));
        }
        workers = starting.stream().map(CompletableFuture::join).toList();
    }

    /** Run a task on a thread of its own. */
    public static <T> CompletableFuture<T> onThread(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> Thread.ofPlatform().start(run));
    }

    public Rpc get(int rank) {
        return workers.get(rank);
    }

    /** End all workers at once. */
    @Override
    public void close() {
        workers.forEach(Rpc::shutdownNow);
    }
}
