package org.gradwire.conformance.harness;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A group of workers in this JVM that a test drives from its own thread. Closing it shuts the
 * workers down gracefully; leaked references are errors then.
 */
public final class WorkerGroup implements AutoCloseable {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(90);
    private static final Executor THREADS = task -> Thread.ofPlatform().start(task);

    private final List<Rpc> workers;
    private final AtomicLong numbers = new AtomicLong();

    private WorkerGroup(List<Rpc> workers) {
        this.workers = workers;
    }

    /** Start the workers, named {@code worker<rank>}, and wait until all have joined. */
    public static WorkerGroup start(BackendUnderTest backend, int size) {
        String meeting = "inproc://" + UUID.randomUUID();
        List<CompletableFuture<Rpc>> starting = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            RpcOptions.Builder options =
                    RpcOptions.builder("worker" + rank)
                            .rank(rank)
                            .worldSize(size)
                            .rendezvous(meeting)
                            .set("gradwire.fail-on-rref-leak", "true");
            backend.settings().forEach(options::set);
            starting.add(CompletableFuture.supplyAsync(() -> Rpc.init(options.build()), THREADS));
        }
        return new WorkerGroup(starting.stream().map(CompletableFuture::join).toList());
    }

    public int size() {
        return workers.size();
    }

    /** {@return the worker of a rank} */
    public Rpc rpc(int rank) {
        return workers.get(rank);
    }

    /** {@return a number that no other call returns, as a unique key of one attempt} */
    public long nextNumber() {
        return numbers.incrementAndGet();
    }

    /** Run an action on all workers in parallel, each on its own thread. */
    public void onAll(Consumer<Rpc> action) {
        List<CompletableFuture<Void>> ends =
                workers.stream()
                        .map(rpc -> CompletableFuture.runAsync(() -> action.accept(rpc), THREADS))
                        .toList();
        try {
            ends.forEach(CompletableFuture::join);
        } catch (CompletionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    @Override
    public void close() {
        onAll(rpc -> rpc.shutdown(TIME_LIMIT));
    }
}
