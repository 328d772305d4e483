package org.gradwire.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs a fuzz target with Jazzer, in its own JVM.
 *
 * <p>It starts from the seeds, the committed corpus and the inputs of earlier runs in the work
 * folder, and stops at the first error.
 *
 * @param work folder of the target for generated inputs, findings and the log
 * @param corpus the committed folder of the target
 */
record Fuzzer(FuzzTarget target, Path work, Path corpus) {
    private static final int MOST_INPUT_BYTES = 4096;
    private static final int MOST_MEGABYTES = 4096;
    private static final int MOST_SECONDS_OF_INPUT = 60;
    private static final int SHOWN_LINES = 60;

    /** {@return the fuzzer of a target, with folders below those} */
    static Fuzzer of(FuzzTarget target, Path work, Path corpus) {
        return new Fuzzer(target, work.resolve(target.id()), corpus.resolve(target.id()));
    }

    /**
     * Fuzz for a time.
     *
     * @throws AssertionError if an input shows an error; the input is in the folder of findings
     */
    void run(int seconds) throws Throwable {
        Path findings = Files.createDirectories(work.resolve("findings"));
        List<String> options = new ArrayList<>();
        options.add("-max_total_time=" + seconds);
        options.add("-artifact_prefix=" + findings + "/");
        options.add(Files.createDirectories(work.resolve("generated")).toString());
        options.add(writeSeeds().toString());
        options.add(Files.createDirectories(corpus).toString());
        jazzer(options);
    }

    private Path writeSeeds() throws Throwable {
        Path folder = Files.createDirectories(work.resolve("seeds"));
        List<byte[]> seeds = target.seeds();
        for (int i = 0; i < seeds.size(); i++) {
            Files.write(folder.resolve("seed-" + i), seeds.get(i));
        }
        return folder;
    }

    /** Replace the committed corpus by the fewest inputs that reach the same code. */
    void minimize() throws Throwable {
        Path fewest = Files.createDirectories(work.resolve("minimized"));
        for (Path left : files(fewest)) { // by a run that failed
            Files.delete(left);
        }
        Path generated = Files.createDirectories(work.resolve("generated"));
        Files.createDirectories(corpus);
        jazzer(
                List.of(
                        "-set_cover_merge=1",
                        fewest.toString(),
                        corpus.toString(),
                        writeSeeds().toString(),
                        generated.toString()));
        List<Path> kept = files(fewest);
        if (kept.isEmpty()) {
            throw new AssertionError("no input is left of " + corpus + "; see " + work);
        }
        for (Path input : files(corpus)) {
            Files.delete(input);
        }
        for (Path input : kept) {
            Files.move(input, corpus.resolve(input.getFileName()));
        }
    }

    /** {@return the files of a folder, if there is one} */
    static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private void jazzer(List<String> options) throws IOException, InterruptedException {
        Path log = work.resolve("log.txt");
        List<String> command = command();
        command.addAll(options);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().merge("PATH", writeScript() + ":", (path, own) -> own + path);
        Process process = builder.start();
        int exit;
        try {
            exit = process.waitFor();
        } finally {
            process.destroy();
            process.waitFor(1, TimeUnit.MINUTES);
        }
        List<String> lines = Files.readAllLines(log);
        lines.stream().filter(line -> line.contains("DONE")).forEach(System.out::println);
        if (exit != 0) {
            int from = Math.max(0, lines.size() - SHOWN_LINES);
            throw new AssertionError(
                    "%s: exit code %d; %s ends with%n%s"
                            .formatted(
                                    target.id(),
                                    exit,
                                    log,
                                    String.join("\n", lines.subList(from, lines.size()))));
        }
    }

    /**
     * Write the command {@code jazzer}, which the fuzzer calls to minimize a corpus.
     *
     * @return its folder
     */
    private Path writeScript() throws IOException {
        Path folder = Files.createDirectories(work.resolve("bin"));
        String quoted =
                command().stream()
                        .map(argument -> "'" + argument.replace("'", "'\\''") + "'")
                        .collect(Collectors.joining(" "));
        Path script = folder.resolve("jazzer");
        Files.writeString(script, "#!/bin/sh\nexec " + quoted + " \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return folder;
    }

    private List<String> command() {
        return new ArrayList<>(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + System.getProperty("fuzz.jvm.args"),
                        "-Xmx1g",
                        "-XX:+EnableDynamicAgentLoading",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + target.className(),
                        "--instrumentation_includes=org.gradwire.**",
                        "--custom_hook_includes=org.gradwire.**",
                        "--reproducer_path=" + work,
                        "-max_len=" + MOST_INPUT_BYTES,
                        "-timeout=" + MOST_SECONDS_OF_INPUT,
                        "-rss_limit_mb=" + MOST_MEGABYTES));
    }
}
