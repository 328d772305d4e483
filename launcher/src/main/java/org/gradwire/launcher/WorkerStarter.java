package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.secure.RunCertificates;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Starts the processes of workers, and standbys: JVMs that wait to become workers that are started
 * again. Confined to the group's thread.
 */
final class WorkerStarter implements AutoCloseable {
    private static final Duration STANDBY_GRACE = Duration.ofSeconds(2);

    private final GroupPlan plan;
    private final RunDirectory directory;
    private final Map<String, String> token;
    private final RunCertificates certificates;
    private final Console console;
    private final Consumer<WorkerProcess> ended;
    private final Deque<Process> standbys = new ArrayDeque<>(); // the oldest first

    /**
     * Start no process yet.
     *
     * @param token variables with the token of the group
     * @param ended receives the workers that have ended
     */
    WorkerStarter(
            GroupPlan plan,
            RunDirectory directory,
            Map<String, String> token,
            RunCertificates certificates,
            Console console,
            Consumer<WorkerProcess> ended) {
        this.plan = plan;
        this.directory = directory;
        this.token = token;
        this.certificates = certificates;
        this.console = console;
        this.ended = ended;
    }

    /**
     * Start a worker, in a standby if there is one.
     *
     * @param restart number of its earlier processes
     * @param generation number of earlier groups of this run
     */
    WorkerProcess start(int rank, int restart, int generation) throws IOException {
        Path readyFile = directory.readyFile(rank);
        Map<String, String> own = new HashMap<>(plan.world().environment(rank));
        own.put("GRADWIRE_RESTART", Integer.toString(restart));
        own.put("GRADWIRE_READY_FILE", readyFile.toString());
        own.putAll(certificates.of(rank));
        Optional<Process> standby = assign(own);
        Process process = standby.isPresent() ? standby.get() : launch(own, generation);
        return WorkerProcess.of(
                plan, new WorkerProcess.Start(rank, restart, process, readyFile), console, ended);
    }

    private Process launch(Map<String, String> own, int generation) throws IOException {
        var builder = new ProcessBuilder(plan.command().ofWorker());
        builder.redirectInput(new File("/dev/null"));
        addEnvironment(builder.environment(), generation);
        builder.environment().putAll(own);
        return builder.start();
    }

    /** Add what all processes of a group have. */
    private void addEnvironment(Map<String, String> environment, int generation) {
        environment.putAll(plan.environment());
        environment.remove(GroupToken.VARIABLE);
        environment.putAll(token);
        environment.put(
                "GRADWIRE_RENDEZVOUS",
                plan.world().rendezvous().orElseGet(() -> directory.rendezvous(generation)));
        if (plan.restarts().isElastic()) {
            environment.put("GRADWIRE_GROUP", "dynamic");
            environment.put("GRADWIRE_QUORUM", Integer.toString(plan.restarts().least()));
        }
        environment.put(RunMarker.VARIABLE, plan.runId());
    }

    /** Make a standby the worker with these variables; {@return its process, if there is one} */
    private Optional<Process> assign(Map<String, String> variables) {
        while (!standbys.isEmpty()) {
            Process standby = standbys.remove();
            if (standby.isAlive() && send(variables, standby)) {
                return Optional.of(standby);
            }
        }
        return Optional.empty();
    }

    private static boolean send(Map<String, String> variables, Process standby) {
        var properties = new Properties();
        properties.putAll(variables);
        try (Writer writer = standby.outputWriter(StandardCharsets.UTF_8)) {
            properties.store(writer, null);
            return true;
        } catch (IOException _) {
            return false; // it has ended
        }
    }

    /** Start standbys until there are as many as planned, and report those that have ended. */
    void startStandbys() throws IOException {
        for (Process standby : List.copyOf(standbys)) {
            if (!standby.isAlive()) {
                standbys.remove(standby);
                console.message("gradwire: a standby ended with code " + standby.exitValue());
            }
        }
        while (standbys.size() < plan.restarts().standbys()) {
            var builder = new ProcessBuilder(plan.command().ofStandby());
            addEnvironment(builder.environment(), 0);
            standbys.add(builder.start());
        }
    }

    /** {@return the process ids of the standbys} */
    List<Long> standbys() {
        return standbys.stream().filter(Process::isAlive).map(Process::pid).toList();
    }

    /** End the standbys. */
    @Override
    public void close() {
        standbys.forEach(Process::destroy);
        long deadlineNanos = System.nanoTime() + STANDBY_GRACE.toNanos();
        for (Process standby : standbys) {
            awaitEnd(standby, deadlineNanos);
        }
    }

    private static void awaitEnd(Process standby, long deadlineNanos) {
        try {
            if (!standby.waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                standby.destroyForcibly();
            }
        } catch (InterruptedException _) {
            standby.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
