package org.gradwire.examples.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.gradwire.examples.Workers;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Device;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

import java.awt.Color;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    @Test
    void lossesOnADeviceAreThoseOnTheHost(@TempDir Path folder) throws Exception {
        assumeTrue(Device.count("cuda") > 0, "a fake driver, which needs g++");
        assertEquals(heldOutLoss("cpu", folder), heldOutLoss("cuda:0", folder), 2e-3);
    }

    /** Train with a server and a trainer; {@return the loss at the end} */
    private static double heldOutLoss(String device, Path folder) throws Exception {
        String[] args = {
            "--steps",
            "5",
            "--batch",
            "16",
            "--device",
            device,
            "--output",
            folder.resolve(device.replace(':', '-')).toString()
        };
        String printed =
                Workers.print(
                        2,
                        options -> mapped(options.worldSize(2), device),
                        rpc -> train(rpc, args));
        assertTrue(printed.contains("(equal)"), printed);
        Matcher loss = Pattern.compile("held out: ([0-9.]+) nats").matcher(printed);
        assertTrue(loss.find(), printed);
        return Double.parseDouble(loss.group(1));
    }

    private static RpcOptions.Builder mapped(RpcOptions.Builder options, String device) {
        if (device.equals("cpu")) {
            return options;
        }
        boolean first = "0".equals(options.build().settings().get("gradwire.rank"));
        return options.deviceMap(first ? "worker1" : "worker0", Map.of(device, device));
    }

    @Test
    void missingDeviceIsRefusedBeforeTheTraining() {
        var commandLine = new CommandLine(new Options());
        commandLine.parseArgs("--device", "cuda:77");
        Options options = commandLine.getCommand();
        var e = assertThrows(ParameterException.class, () -> options.validate(commandLine));
        assertTrue(String.valueOf(e.getMessage()).contains("there is no cuda:77"), e.getMessage());
    }

    private static void train(Rpc rpc, String... args) throws Exception {
        var options = new Options();
        new CommandLine(options).parseArgs(args);
        Train.run(rpc, options);
        assertEquals("0", rpc.debugInfo().get("num_current_backward_passes"));
    }
}
