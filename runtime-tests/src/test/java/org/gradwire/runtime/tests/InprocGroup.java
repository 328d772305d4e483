package org.gradwire.runtime.tests;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Workers {@code worker0}, {@code worker1} and so on in this JVM. */
public final class InprocGroup {

    private InprocGroup() {}

    /** What each worker does before it closes. */
    public interface Body {
        void run(Rpc rpc) throws Exception;
    }

    /** Run workers to their end; fail as the first of them did that failed. */
    public static void run(int size, Body body) throws Exception {
        run(size, Map.of(), body);
    }

    /** As {@link #run(int, Body)}, with settings for all. */
    public static void run(int size, Map<String, String> settings, Body body) throws Exception {
        runEach(size, _ -> settings, body);
    }

    /** As {@link #run(int, Body)}, with settings by rank. */
    public static void runEach(int size, IntFunction<Map<String, String>> settings, Body body)
            throws Exception {
        String meeting = "inproc://" + UUID.randomUUID();
        List<Future<?>> ends = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(size)) {
            for (int rank = 0; rank < size; rank++) {
                RpcOptions.Builder builder =
                        RpcOptions.builder()
                                .rank(rank)
                                .worldSize(size)
                                .backend("inproc")
                                .rendezvous(meeting);
                settings.apply(rank).forEach(builder::set);
                RpcOptions options = builder.build();
                ends.add(
                        threads.submit(() -> {
                            try (Rpc rpc = Rpc.init(options)) {
                                body.run(rpc);
                            }
                            return options;
                        }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    /** Run workers of which only the first does something. */
    public static void runFirst(int size, Body body) throws Exception {
        runFirst(size, Map.of(), body);
    }

    /** As {@link #runFirst(int, Body)}, with settings for all. */
    public static void runFirst(int size, Map<String, String> settings, Body body)
            throws Exception {
        run(
                size,
                settings,
                rpc -> {
                    if (rpc.self().id() == 0) {
                        body.run(rpc);
                    }
                });
    }
}
