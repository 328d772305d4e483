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
 * A group of workers in this JVM that run the same body, each on its own thread, and then shut down
 * gracefully. Most cases use it.
 *
 * <p>By default workers are named {@code worker<rank>}. Leaked references are errors. If one rank
 * fails, all workers are stopped, and its exception is thrown with those of the other ranks as
 * suppressed.
 */
public final class ThreadWorld {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(90);

    private final BackendUnderTest backend;
    private final int size;
    private final Map<String, String> settings = new HashMap<>();
    private final Map<Integer, Map<String, String>> settingsOfRanks = new HashMap<>();
    private final Map<Integer, List<UdfCodec>> codecs = new HashMap<>();
    private List<String> names;
    private boolean graceful = true;

    /** The body that each rank runs. */
    @FunctionalInterface
    public interface Body {
        /**
         * Run the body on one worker, before it shuts down.
         *
         * @throws Exception fails the case; all workers are stopped
         */
        void run(Rank self) throws Exception;
    }

    private ThreadWorld(BackendUnderTest backend, int size) {
        this.backend = backend;
        this.size = size;
        this.names = IntStream.range(0, size).mapToObj(rank -> "worker" + rank).toList();
        settings.put("gradwire.fail-on-rref-leak", "true");
        settings.putAll(backend.settings());
    }

    /** Create a group of workers over a backend. */
    public static ThreadWorld of(BackendUnderTest backend, int size) {
        return new ThreadWorld(backend, size);
    }

    /** Set a setting of all workers. */
    public ThreadWorld with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Set a setting of the worker of one rank. */
    public ThreadWorld with(int rank, String key, String value) {
        settingsOfRanks.computeIfAbsent(rank, _ -> new HashMap<>()).put(key, value);
        return this;
    }

    /** Register a codec with the workers of some ranks, or with all if none is given. */
    public ThreadWorld with(UdfCodec codec, int... ranks) {
        int[] chosen = ranks.length == 0 ? IntStream.range(0, size).toArray() : ranks;
        for (int rank : chosen) {
            codecs.computeIfAbsent(rank, _ -> new ArrayList<>()).add(codec);
        }
        return this;
    }

    /** Name the workers, in the order of their ranks. */
    public ThreadWorld named(String... newNames) {
        if (newNames.length != size) {
            throw new IllegalArgumentException(
                    "%d names for %d workers".formatted(newNames.length, size));
        }
        names = List.of(newNames);
        return this;
    }

    /** Stop the workers abruptly at the end, for cases that have lost some of them. */
    public ThreadWorld withoutGracefulShutdown() {
        graceful = false;
        return this;
    }

    /** Run the body on every rank, and wait until all have shut down. */
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
     * Run the body on rank 0; the others shut down at once but serve requests until all are done.
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

    /** Wait for all ranks. A timeout is added after the failures that may have caused it. */
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
