package org.gradwire.backend.tensorpipe;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A child JVM that runs a main class of the tests, on the module path like this one. */
public final class Child implements AutoCloseable {
    private final Process process;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();

    /** Start with the flags of jvm.args, or without any. */
    public Child(Class<?> main, boolean withFlags, String... args) {
        this(List.of(), Map.of(), main, withFlags, args);
    }

    /** Start a JVM with additional environment variables. */
    static Child withEnvironment(Map<String, String> environment, Class<?> main, String... args) {
        return new Child(List.of(), environment, main, true, args);
    }

    /** Start a JVM with a limit of file descriptors. */
    public static Child withDescriptors(int most, Class<?> main, String... args) {
        List<String> limit =
                List.of("/bin/sh", "-c", "ulimit -n " + most + " && exec \"$@\"", "limited");
        return new Child(limit, Map.of(), main, true, args);
    }

    /** Start a JVM without the system calls that {@link Hardened} refuses. */
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
                        "-XX:TieredStopAtLevel=1", // it runs for seconds
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
    public String await(Predicate<String> wanted) throws InterruptedException {
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

    /** Query its metrics. */
    String figures() throws Exception {
        write('?');
        return await(line -> line.startsWith("{"));
    }

    /** Send it a command byte. */
    void write(char command) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write(command);
        input.flush();
    }

    /** Kill it, like {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
    }

    /** Stop a process; returns when all its threads are stopped. */
    static void stop(long pid) throws Exception {
        signal("STOP", pid);
        Path threads = Path.of("/proc", Long.toString(pid), "task");
        long start = System.nanoTime();
        while (!areStopped(threads)) { // a thread may run until it is scheduled to stop
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(10)) {
                throw new AssertionError("process " + pid + " does not stop");
            }
            LockSupport.parkNanos(100_000);
        }
    }

    private static boolean areStopped(Path threads) throws IOException {
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                if (!Files.readString(thread.resolve("stat")).contains(") T ")) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Send a signal to a process. */
    static void signal(String signal, long pid) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
        if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new AssertionError("kill -" + signal + " " + pid + " failed");
        }
    }

    /** Close its input, and wait for its end. */
    public void end() throws Exception {
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
