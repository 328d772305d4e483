package org.gradwire.examples.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The main job, with four workers in this JVM and few steps. */
class TrainTest {
    private static final int WORKERS = 4;

    @Test
    void trainingLearnsAndReports(@TempDir Path folder) throws Exception {
        String printed =
                printedBy(() ->
                        train("--steps", "150", "--seconds", "100", "--output", folder.toString()));
        Matcher loss =
                Pattern.compile("held out: ([0-9.]+) nats a character; unigram entropy: ([0-9.]+)")
                        .matcher(printed);
        assertTrue(loss.find(), printed);
        double heldOut = Double.parseDouble(loss.group(1));
        double entropy = Double.parseDouble(loss.group(2));
        assertTrue(heldOut < entropy - 0.3, "loss " + heldOut + " against " + entropy);
        assertTrue(
                printed.matches(
                        "(?s).*max abs difference \\d\\.\\d+e[-+]\\d+, largest gradient 0\\.\\d+ \\(equal\\).*"),
                printed);
        String dot = Files.readString(folder.resolve("graph.dot"));
        assertTrue(
                dot.startsWith("digraph autograd {")
                        && dot.contains("SendRpcBackward")
                        && dot.contains("style=dashed"),
                dot);
        assertTrue(
                Files.readString(folder.resolve("graph.svg")).contains("EmbeddingBagBackward"),
                "graph.svg");
        String curve = Files.readString(folder.resolve("loss.svg"));
        for (Color line : List.of(LossCurve.LOSS, LossCurve.ENTROPY)) {
            String rgb = "rgb(%d,%d,%d)".formatted(line.getRed(), line.getGreen(), line.getBlue());
            assertTrue(curve.contains(rgb), "loss.svg has no line in " + rgb);
        }
    }

    private static void train(String... args) throws Exception {
        String meeting = "inproc://" + UUID.randomUUID();
        List<Future<?>> ends = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(WORKERS)) {
            for (int rank = 0; rank < WORKERS; rank++) {
                RpcOptions rpcOptions =
                        RpcOptions.builder()
                                .rank(rank)
                                .worldSize(WORKERS)
                                .backend("inproc")
                                .rendezvous(meeting)
                                .build();
                ends.add(threads.submit(() -> worker(rpcOptions, args)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private static Object worker(RpcOptions rpcOptions, String[] args) throws Exception {
        var options = new Options();
        new CommandLine(options).parseArgs(args);
        try (Rpc rpc = Rpc.init(rpcOptions)) {
            Train.run(rpc, options);
            assertEquals("0", rpc.debugInfo().get("num_current_backward_passes"));
        }
        return rpcOptions;
    }

    private interface Action {
        void run() throws Exception;
    }

    private static String printedBy(Action action) throws Exception {
        PrintStream before = System.out;
        var bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setOut(before);
            System.out.println(bytes.toString(StandardCharsets.UTF_8));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
