package org.gradwire.conformance.harness;

import org.gradwire.spi.process.FreePort;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A group of worker processes, each a JVM on the path of this one that runs the same program. The
 * test writes commands to a process's standard input and reads replies from its standard output, a
 * line each.
 *
 * <p>A process reads its rank and group from the environment ({@code
 * RpcOptions.fromEnvironment()}); {@link JavaCommand} sets its JVM flags. Closing the world kills
 * all processes, and so does the end of this JVM.
 *
 * <p>Confined to one thread.
 */
public final class ProcessWorld implements AutoCloseable {
    private static final Duration START_TIME = Duration.ofSeconds(60);

    private final List<Member> members = new ArrayList<>();
    private final Thread cleanUp = new Thread(this::destroyAll, "process-world-end");

    private ProcessWorld() {
        Runtime.getRuntime().addShutdownHook(cleanUp);
    }

    /**
     * Start the processes and wait until each has printed {@code ready}.
     *
     * @param program class whose main each process runs; see {@link JavaCommand#of}
     */
    public static ProcessWorld start(BackendUnderTest backend, int size, Class<?> program) {
        return start(backend, Collections.nCopies(size, ProcessHost.LOCAL), program);
    }

    /**
     * Start each process on its host and wait until all have printed {@code ready}. The rendezvous
     * is on the first host.
     *
     * @param program class whose main each process runs; see {@link JavaCommand#of}
     */
    public static ProcessWorld start(
            BackendUnderTest backend, List<ProcessHost> hosts, Class<?> program) {
        var world = new ProcessWorld();
        try {
            String meeting = "tcp://" + hosts.getFirst().address() + ":" + FreePort.choose();
            String token = UUID.randomUUID().toString();
            for (int rank = 0; rank < hosts.size(); rank++) {
                world.members.add(
                        new Member(
                                rank,
                                hosts.get(rank).enter(command(backend, program)),
                                Map.of(
                                        "GRADWIRE_RANK",
                                        Integer.toString(rank),
                                        "GRADWIRE_WORLD_SIZE",
                                        Integer.toString(hosts.size()),
                                        "GRADWIRE_RENDEZVOUS",
                                        meeting,
                                        "GRADWIRE_AUTHENTICATION_TOKEN",
                                        token)));
            }
            world.members.forEach(member -> member.await("ready", START_TIME));
            return world;
        } catch (IOException e) {
            world.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException | Error e) {
            world.close();
            throw e;
        }
    }

    private static List<String> command(BackendUnderTest backend, Class<?> program) {
        List<String> flags = new ArrayList<>();
        flags.add("-Xmx256m");
        backend.settings().forEach((key, value) -> flags.add("-D" + key + "=" + value));
        return JavaCommand.of(flags, program);
    }

    /** {@return the process of a rank} */
    public Member member(int rank) {
        return members.get(rank);
    }

    /** {@return the processes, by rank} */
    public List<Member> members() {
        return List.copyOf(members);
    }

    /**
     * Send the same command to several processes, wait until each has printed a line that begins
     * with the same word, and return the rest of these lines.
     */
    public static List<String> ask(List<Member> members, String line, Duration time) {
        members.forEach(member -> member.say(line));
        String word = line.split(" ", 2)[0];
        return members.stream().map(member -> member.await(word, time)).toList();
    }

    /** Wait until all processes have ended, each with exit code 0 unless it was killed. */
    public void awaitEnds(Duration time) {
        members.forEach(member -> member.awaitEnd(time));
    }

    @Override
    public void close() {
        destroyAll();
        try {
            Runtime.getRuntime().removeShutdownHook(cleanUp);
        } catch (IllegalStateException _) {
            // this JVM is shutting down, and the hook runs
        }
    }

    private void destroyAll() {
        members.forEach(member -> member.process.destroyForcibly());
    }

    /** One process of the group. */
    public static final class Member {
        private final int rank;
        private final Process process;
        private final Writer input;
        private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final List<String> seen = new ArrayList<>();
        private boolean killed;

        private Member(int rank, List<String> command, Map<String, String> environment)
                throws IOException {
            this.rank = rank;
            var builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            process = builder.start();
            input = process.outputWriter(StandardCharsets.UTF_8);
            Thread.ofVirtual().start(this::read);
        }

        private void read() {
            try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                reader.lines().forEach(lines::add);
            } catch (IOException | UncheckedIOException e) {
                lines.add("the output ends: " + e);
            }
        }

        /** Send a command to the process. */
        public void say(String line) {
            try {
                input.write(line + "\n");
                input.flush();
            } catch (IOException e) {
                throw new AssertionError(
                        "worker%d no longer reads its input; %s".formatted(rank, said()), e);
            }
        }

        /**
         * Wait for a line that begins with a word, and return its rest. Other output is kept for
         * error messages.
         */
        public String await(String word, Duration time) {
            long deadline = System.nanoTime() + time.toNanos();
            try {
                while (true) {
                    String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                    if (line == null) {
                        throw new AssertionError(
                                "worker%d did not print '%s' within %s; %s"
                                        .formatted(rank, word, time, said()));
                    }
                    seen.add(line);
                    if (line.equals(word) || line.startsWith(word + " ")) {
                        return line.substring(word.length()).strip();
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }

        /** Close the process's standard input, which ends its program. */
        public void endInput() {
            try {
                input.close();
            } catch (IOException e) {
                throw new AssertionError(
                        "worker%d has ended already; %s".formatted(rank, said()), e);
            }
        }

        private String said() {
            return "its output:\n" + String.join("\n", seen);
        }

        /** Kill the process, as {@code kill -9} does. */
        public void kill() {
            killed = true;
            process.destroyForcibly();
        }

        /** Suspend the process (SIGSTOP) until {@link #thaw}. */
        public void freeze() {
            signal("STOP");
        }

        /** Resume a suspended process (SIGCONT). */
        public void thaw() {
            signal("CONT");
        }

        private void signal(String name) {
            try {
                var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()));
                int status = kill.inheritIO().start().waitFor();
                if (status != 0) {
                    throw new AssertionError(
                            "worker%d cannot be sent SIG%s: exit code %d"
                                    .formatted(rank, name, status));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }

        private void awaitEnd(Duration time) {
            try {
                if (!process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new AssertionError(
                            "worker%d did not end within %s; %s".formatted(rank, time, said()));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
            if (!killed && process.exitValue() != 0) {
                throw new AssertionError(
                        "worker%d ended with %d; %s".formatted(rank, process.exitValue(), said()));
            }
        }
    }
}
