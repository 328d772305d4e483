package org.gradwire.opentelemetry.tests;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Workers {@code worker0}, {@code worker1} ... in this JVM, each with its own settings. */
final class TracedGroup {
    static final String KEY = "gradwire.opentelemetry";

    private TracedGroup() {}

    /** The task of the first worker; the others serve. */
    interface Body {
        void run(List<Rpc> workers) throws Exception;
    }

    /** Run a group to its end, with a mode of OpenTelemetry for each worker. */
    static void run(Body body, String... modes) throws Exception {
        run(body, Arrays.stream(modes).map(mode -> Map.of(KEY, mode)).toList());
    }

    static void run(Body body, List<Map<String, String>> settings) throws Exception {
        int size = settings.size();
        String meeting = "inproc://" + UUID.randomUUID();
        Map<Integer, Rpc> workers = new ConcurrentHashMap<>();
        var all = new CountDownLatch(size);
        List<Future<?>> ends = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(size)) {
            for (int rank = 0; rank < size; rank++) {
                RpcOptions options = options(rank, size, meeting, settings.get(rank));
                ends.add(
                        threads.submit(() -> {
                            try (Rpc rpc = Rpc.init(options)) {
                                workers.put(rpc.self().id(), rpc);
                                all.countDown();
                                if (rpc.self().id() == 0 && all.await(60, TimeUnit.SECONDS)) {
                                    body.run(List.copyOf(new TreeMap<>(workers).values()));
                                }
                            }
                            return options;
                        }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private static RpcOptions options(
            int rank, int size, String meeting, Map<String, String> settings) {
        RpcOptions.Builder builder =
                RpcOptions.builder().rank(rank).worldSize(size).backend("spy").rendezvous(meeting);
        settings.forEach(builder::set);
        return builder.build();
    }
}
