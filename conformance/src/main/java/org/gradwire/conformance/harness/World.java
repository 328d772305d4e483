package org.gradwire.conformance.harness;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.UdfCodec;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A group of workers within this JVM that all run the same body, each on a thread of its own, and
 * then leave in an orderly way. The setting of most cases.
 *
 * <p>Workers are named {@code worker<rank>}, unless told otherwise. References that leak are
 * errors. When one rank fails, all workers are stopped, and the failure is thrown with those of the
 * other ranks attached.
 */
public final class World {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(90);

    private final BackendUnderTest backend;
    private final int size;
    private final Map<String, String> settings = new HashMap<>();
    private final Map<Integer, Map<String, String>> settingsOfRanks = new HashMap<>();
    private final Map<Integer, List<UdfCodec>> codecs = new HashMap<>();
    private List<String> names;
    private boolean graceful = true;

    /** What each rank runs. */
    @FunctionalInterface
    public interface Body {
        void run(Rank self) throws Exception;
    }

    private World(BackendUnderTest backend, int size) {
        this.backend = backend;
        this.size = size;
        this.names = IntStream.range(0, size).mapToObj(rank -> "worker" + rank).toList();
        settings.put("gradwire.fail-on-rref-leak", "true");
        settings.putAll(backend.settings());
    }

    /** Prepare a group of workers that are connected by a backend. */
    public static World of(BackendUnderTest backend, int size) {
        return new World(backend, size);
    }

    /** Set a setting of all workers. */
    public World with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Set a setting of the worker of one rank. */
    public World with(int rank, String key, String value) {
        settingsOfRanks.computeIfAbsent(rank, _ -> new HashMap<>()).put(key, value);
        return this;
    }

    /** Register a codec with the workers of these ranks, or with all when none is named. */
    public World with(UdfCodec codec, int... ranks) {
        int[] chosen = ranks.length == 0 ? IntStream.range(0, size).toArray() : ranks;
        for (int rank : chosen) {
            codecs.computeIfAbsent(rank, _ -> new ArrayList<>()).add(codec);
        }
        return this;
    }

    /** Give the workers other names, in the order of their ranks. */
    public World named(String... newNames) {
        if (newNames.length != size) {
            throw new IllegalArgumentException(
                    "%d names for %d workers".formatted(newNames.length, size));
        }
        names = List.of(newNames);
        return this;
    }

    /** Let the workers stop at once at the end, as a case does that has lost some of them. */
    public World withoutGracefulShutdown() {
        graceful = false;
        return this;
    }

    /** Run the body on every rank, and wait until all have left. */
    public void run(Body body) {
        String meeting = "inproc://" + UUID.randomUUID();
        List<Rpc> members = new ArrayList<>();
        var failures = new ConcurrentLinkedQueue<Throwable>();
        var done = new CountDownLatch(size);
        for (int rank = 0; rank < size; rank++) {
            int id = rank;
            Thread.ofPlatform()
                    .name("rank" + id)
                    .start(() -> {
                        try {
                            live(options(meeting, id), body, members);
                        } catch (Throwable failure) {
                            failures.add(failure);
                            stopAll(members);
                        } finally {
                            done.countDown();
                        }
                    });
        }
        await(done, members, failures);
        rethrow(failures);
    }

    /**
     * Run the body on rank 0; the others go straight to the shutdown, where they still serve
     * requests.
     */
    public void runOnRank0(Body body) {
        run(self -> {
            if (self.id() == 0) {
                body.run(self);
            }
        });
    }

    private RpcOptions options(String meeting, int rank) {
        RpcOptions.Builder options =
                RpcOptions.builder(names.get(rank)).rank(rank).worldSize(size).rendezvous(meeting);
        settings.forEach(options::set);
        settingsOfRanks.getOrDefault(rank, Map.of()).forEach(options::set);
        codecs.getOrDefault(rank, List.of()).forEach(options::udfCodec);
        return options.build();
    }

    private void live(RpcOptions options, Body body, List<Rpc> members) throws Exception {
        Rpc rpc = Rpc.init(options);
        synchronized (members) {
            members.add(rpc);
        }
        body.run(new Rank(rpc, names));
        if (graceful) {
            rpc.shutdown(TIME_LIMIT);
        } else {
            rpc.shutdownNow();
        }
    }

    private static void stopAll(List<Rpc> members) {
        List<Rpc> all;
        synchronized (members) {
            all = List.copyOf(members);
        }
        all.forEach(Rpc::shutdownNow);
    }

    /** Wait for all ranks; that some do not end comes after the failures that may be its cause. */
    private void await(
            CountDownLatch done, List<Rpc> members, ConcurrentLinkedQueue<Throwable> failures) {
        try {
            if (!done.await(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                String where = threadDump();
                stopAll(members);
                failures.add(
                        new AssertionError(
                                "a world of %d workers over %s did not end within %s; its threads:%n%s"
                                        .formatted(size, backend.name(), TIME_LIMIT, where)));
            }
        } catch (InterruptedException e) {
            stopAll(members);
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static String threadDump() {
        var text = new StringBuilder();
        Thread.getAllStackTraces()
                .forEach((thread, stack) -> {
                    if (thread.getName().startsWith("rank")) {
                        text.append(thread.getName()).append('\n');
                        for (StackTraceElement frame : stack) {
                            text.append("    at ").append(frame).append('\n');
                        }
                    }
                });
        return text.toString();
    }

    private static void rethrow(ConcurrentLinkedQueue<Throwable> failures) {
        Throwable first = failures.poll();
        if (first == null) {
            return;
        }
        failures.forEach(first::addSuppressed);
        switch (first) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError(first);
        }
    }
}
