package org.gradwire.spark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spark.examples.TrainOnSpark;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** The training of the language model on Spark, against that of {@code ./gradwire run}. */
class LanguageModelTest {
    private static final String WORKERS = "3";
    // The second compiler has other last digits of exp, tanh and sums.
    private static final String FLAG = "-XX:TieredStopAtLevel=1";
    private static final String FIRST = "loss on text held out";

    @Test
    void resultIsThatOfTheLauncher(@TempDir Path folder) throws Exception {
        List<String> arguments =
                List.of("--steps=4", "--batch=8", "--seconds=600", "--output=" + folder);
        assertEquals(result(ofLauncher(folder, arguments)), result(onSpark(arguments)));
    }

    private static String ofLauncher(Path folder, List<String> arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-p",
                                Programs.distribution() + "/launcher",
                                "-m",
                                "org.gradwire.launcher/org.gradwire.launcher.Main",
                                "run",
                                "--workers=" + WORKERS,
                                "--jvm-arg=" + FLAG,
                                "train"));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output.replaceAll("(?m)^worker0 \\| ", "");
    }

    private static String onSpark(List<String> arguments) {
        var output = new ByteArrayOutputStream();
        PrintStream console = System.out;
        var properties = (Properties) System.getProperties().clone();
        // As spark-submit does.
        Sessions.options("local[3]").forEach(System::setProperty);
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            List<String> all = new ArrayList<>(List.of(WORKERS, FLAG));
            all.addAll(arguments);
            TrainOnSpark.main(all.toArray(String[]::new));
        } finally {
            System.setOut(console);
            System.setProperties(properties);
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    /** {@return the loss and the text, from the output of the trainer} */
    private static String result(String output) {
        int begin = output.indexOf(FIRST);
        int end = output.indexOf("pictures: ");
        assertTrue(0 <= begin && begin < end, output);
        return output.substring(begin, end);
    }
}
