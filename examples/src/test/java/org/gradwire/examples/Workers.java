package org.gradwire.examples;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/** Runs an example with workers in this JVM, and captures its output. */
public final class Workers {

    private Workers() {}

    /** The task of each worker. */
    public interface Body {
        void run(Rpc rpc) throws Exception;
    }

    /** {@return the workers' standard output, which is also printed} */
    public static String print(int count, Body body) throws Exception {
        return print(count, options -> options.worldSize(count), body);
    }

    /** {@return the same, for a group with the given options} */
    public static String print(int count, UnaryOperator<RpcOptions.Builder> group, Body body)
            throws Exception {
        PrintStream before = System.out;
        var bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            run(count, group, body);
        } finally {
            System.setOut(before);
            System.out.println(bytes.toString(StandardCharsets.UTF_8));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void run(int count, UnaryOperator<RpcOptions.Builder> group, Body body)
            throws Exception {
        String meeting = "inproc://" + UUID.randomUUID();
        List<Future<?>> ends = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            for (int rank = 0; rank < count; rank++) {
                RpcOptions options =
                        group.apply(
                                        RpcOptions.builder()
                                                .rank(rank)
                                                .backend("inproc")
                                                .rendezvous(meeting))
                                .build();
                ends.add(threads.submit(() -> work(options, body)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private static Object work(RpcOptions options, Body body) throws Exception {
        try (Rpc rpc = Rpc.init(options)) {
            body.run(rpc);
        }
        return options;
    }
}
