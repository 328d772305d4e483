package org.gradwire.checkpoint.tests;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Python with PyTorch; {@code -Dpython=PATH} chooses another one than Debian's. Where the
 * format's own library is missing, a reader of this project's tests stands for it.
 */
record Python(String program, boolean hasLibrary) {
    private static final int LIMIT_SECONDS = 60;
    private static final Path SCRIPTS = Path.of("src/test/python").toAbsolutePath();

    /** Return it, or skip the test and print why. */
    static Python require() throws Exception {
        String program = System.getProperty("python", "/usr/bin/python3");
        if (!runs(program, "import torch, numpy")) {
            String text =
                    "skipped: %s has no torch and numpy; on Debian: apt-get install python3-torch"
                            .formatted(program);
            System.out.println(text);
            return Assumptions.abort(text);
        }
        var python = new Python(program, runs(program, "import safetensors.torch"));
        System.out.println(python);
        return python;
    }

    private static boolean runs(String program, String statement) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(program, "-c", statement)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return ended(process) && process.exitValue() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean ended(Process process) throws InterruptedException {
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        return ended;
    }

    /** Run {@code exchange.py} in a directory, and return the lines that it prints. */
    List<String> exchange(Path directory, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(program, SCRIPTS.resolve("exchange.py").toString()));
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output.txt");
        var builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        if (!hasLibrary) {
            builder.environment().put("PYTHONPATH", SCRIPTS.resolve("plain").toString());
        }
        Process process = builder.start();
        boolean ended = ended(process);
        String printed = Files.readString(output, StandardCharsets.UTF_8);
        if (!ended || process.exitValue() != 0) {
            throw new AssertionError("exchange.py has failed: " + printed);
        }
        return printed.lines().toList();
    }
}
