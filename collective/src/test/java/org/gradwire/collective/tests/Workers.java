package org.gradwire.collective.tests;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Workers {@code worker0}, {@code worker1} ... in this JVM. */
final class Workers implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(30);

    private final List<Rpc> workers;

    Workers(int size) {
        this(size, Map.of());
    }

    Workers(int size, Map<String, String> settings) {
        this(size, "inproc", settings);
    }

    Workers(int size, String backend, Map<String, String> settings) {
        String rendezvous = "inproc://" + UUID.randomUUID();
        List<CompletableFuture<Rpc>> starting = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            RpcOptions.Builder builder =
                    RpcOptions.builder()
                            .rank(rank)
                            .worldSize(size)
                            .backend(backend)
                            .rendezvous(rendezvous);
            settings.forEach(builder::set);
            RpcOptions options = builder.build();
            starting.add(onThread(() -> Rpc.init(options)));
        }
        workers = starting.stream().map(CompletableFuture::join).toList();
    }

    /** The part of one member. */
    interface Member<T> {
        T run(ProcessGroup group);
    }

    static <T> CompletableFuture<T> onThread(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> Thread.ofPlatform().start(run));
    }

    Rpc get(int rank) {
        return workers.get(rank);
    }

    int size() {
        return workers.size();
    }

    List<String> names() {
        return names(size());
    }

    static List<String> names(int size) {
        return IntStream.range(0, size).mapToObj(rank -> "worker" + rank).toList();
    }

    ProcessGroup group(int rank, String name) {
        return ProcessGroup.of(get(rank), name, names(), LIMIT);
    }

    /** Make a group on all workers, and run its members, each on a thread; return their results. */
    <T> List<T> run(String name, Member<T> member) {
        return start(name, member).stream().map(CompletableFuture::join).toList();
    }

    /** Begin what {@link #run} runs. */
    <T> List<CompletableFuture<T>> start(String name, Member<T> member) {
        List<CompletableFuture<T>> running = new ArrayList<>();
        for (int rank = 0; rank < size(); rank++) {
            int mine = rank;
            running.add(
                    onThread(() -> {
                        try (ProcessGroup group = group(mine, name)) {
                            return member.run(group);
                        }
                    }));
        }
        return running;
    }

    @Override
    public void close() {
        workers.forEach(Rpc::shutdownNow);
    }
}
