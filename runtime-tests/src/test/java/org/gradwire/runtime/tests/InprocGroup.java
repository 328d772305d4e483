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

/** Workers {@code worker0}, {@code worker1} ... in this JVM. */
public final class InprocGroup {

    private InprocGroup() {}

    /** The task of each worker before it closes. */
    public interface Body {
        void run(Rpc rpc) throws Exception;
    }

    /** Run workers to their end; rethrow the first failure. */
    public static void run(int size, Body body) throws Exception {
        run(size, Map.of(), body);
    }

    /** {@link #run(int, Body)} with settings for all. */
    public static void run(int size, Map<String, String> settings, Body body) throws Exception {
        runEach(size, _ -> settings, body);
    }

    /** {@link #run(int, Body)} with settings by rank. */
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
            try {
                for (Future<?> end : ends) {
                    end.get();
                }
            } catch (InterruptedException e) {
                threads.shutdownNow(); // a test that timed out does not wait for its workers
                throw e;
            }
        }
    }

    /** Join a dynamic group. */
    public static Rpc join(String meeting, int rank, String name, Map<String, String> settings) {
        RpcOptions.Builder builder =
                RpcOptions.builder()
                        .rank(rank)
                        .name(name)
                        .dynamicGroup()
                        .backend("inproc")
                        .rendezvous(meeting);
        settings.forEach(builder::set);
        return Rpc.init(builder.build());
    }

    /** Run workers with a task for the first only. */
    public static void runFirst(int size, Body body) throws Exception {
        runFirst(size, Map.of(), body);
    }

    /** {@link #runFirst(int, Body)} with settings for all. */
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
