package org.gradwire.examples.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.examples.Workers;
import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import java.awt.Color;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The training of the language model, with four workers in this JVM and few steps. */
class TrainTest {
    private static final int WORKERS = 4;

    @Test
    void trainingLearnsAndReports(@TempDir Path folder) throws Exception {
        String printed =
                Workers.print(
                        WORKERS,
                        rpc ->
                                train(
                                        rpc,
                                        "--steps",
                                        "150",
                                        "--seconds",
                                        "100",
                                        "--output",
                                        folder.toString()));
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

    private static void train(Rpc rpc, String... args) throws Exception {
        var options = new Options();
        new CommandLine(options).parseArgs(args);
        Train.run(rpc, options);
        assertEquals("0", rpc.debugInfo().get("num_current_backward_passes"));
    }
}
