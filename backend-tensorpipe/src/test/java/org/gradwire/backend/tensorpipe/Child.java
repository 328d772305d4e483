package org.gradwire.backend.tensorpipe;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A JVM that runs a main of the tests, on the module path, as this one does. */
final class Child implements AutoCloseable {
    private final Process process;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();

    /** Start with the flags of jvm.args, or without any. */
    Child(Class<?> main, boolean withFlags, String... args) {
        this(List.of(), Map.of(), main, withFlags, args);
    }

    /** Start a JVM with more in its environment. */
    static Child withEnvironment(Map<String, String> environment, Class<?> main, String... args) {
        return new Child(List.of(), environment, main, true, args);
    }

    /** Start a JVM that cannot have more file descriptors than these. */
    static Child withDescriptors(int most, Class<?> main, String... args) {
        List<String> limit =
                List.of("/bin/sh", "-c", "ulimit -n " + most + " && exec \"$@\"", "limited");
        return new Child(limit, Map.of(), main, true, args);
    }

    /** Start a JVM that is refused what {@link Hardened} says. */
    static Child hardened(Class<?> main, String... args) {
        List<String> tool =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        Path.of("target", "test-classes").toString(),
                        Hardened.class.getName());
        return new Child(tool, Map.of(), main, true, args);
    }

    private Child(
            List<String> prefix,
            Map<String, String> environment,
            Class<?> main,
            boolean withFlags,
            String... args) {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (withFlags) {
            command.add("@" + System.getProperty("jvm.args.file"));
        }
        String module = main.getModule().getName();
        command.addAll(
                List.of(
                        "-Xmx256m",
                        "--module-path",
                        System.getProperty("jdk.module.path"),
                        "--patch-module",
                        module + "=" + Path.of("target", "test-classes"),
                        "--module",
                        module + "/" + main.getName()));
        command.addAll(List.of(args));
        try {
            var builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            reader.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add("output ends: " + e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Wait for a line of output. */
    String await(Predicate<String> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (true) {
            String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("no such line in " + seen);
            }
            seen.add(line);
            if (wanted.test(line)) {
                return line;
            }
        }
    }

    /** Ask for its figures. */
    String figures() throws Exception {
        write('?');
        return await(line -> line.startsWith("{"));
    }

    /** Send it a byte that it acts on. */
    void write(char command) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write(command);
        input.flush();
    }

    /** Kill it, as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
    }

    /** Send it a signal. */
    static void signal(String signal, long pid) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
        if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new AssertionError("kill -" + signal + " " + pid + " failed");
        }
    }

    /** Let it end by itself. */
    void end() throws Exception {
        process.getOutputStream().close();
        await(line -> line.equals("closed"));
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new AssertionError("the child does not end");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
