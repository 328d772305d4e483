package org.gradwire.bench.growth;

import org.gradwire.bench.process.Jvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A group of worker processes with its own media driver. */
final class TestGroup implements AutoCloseable {
    private static final List<String> FLAGS = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1");
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long GRACE_SECONDS = 60;
    private static final int ROUNDS_WITHOUT_IMPROVEMENT = 6;
    private static final int BROADCAST_ROUNDS = 9;
    private static final double SHORTER = 0.95;

    private final List<Process> workers = new ArrayList<>();
    private final List<BufferedReader> answers = new ArrayList<>();
    private final Path meeting;
    private final Path driver;

    /**
     * Start the workers and wait until their group has formed.
     *
     * @param turn distinguishes groups of the same size, since a driver briefly outlives its last
     *     worker and the next group must not attach to it
     */
    TestGroup(int size, int turn) throws IOException {
        String name =
                "gradwire-world-%d-%d-%d".formatted(ProcessHandle.current().pid(), size, turn);
        meeting = Path.of(System.getProperty("java.io.tmpdir"), name);
        driver = SHARED_MEMORY.resolve(name);
        try {
            for (int rank = 0; rank < size; rank++) {
                start(rank, size);
            }
            for (int rank = 0; rank < size; rank++) {
                awaitReady(rank);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void start(int rank, int size) throws IOException {
        List<String> command = new ArrayList<>(Jvm.command(TestGroupWorker.class));
        command.addAll(1, FLAGS);
        command.addAll(
                List.of(
                        Integer.toString(rank),
                        Integer.toString(size),
                        meeting.toUri().toString(),
                        driver.toString()));
        Process worker =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        workers.add(worker);
        answers.add(worker.inputReader());
    }

    private void awaitReady(int rank) throws IOException {
        String answer = answer(rank);
        if (!answer.equals(TestGroupWorker.READY)) {
            throw new IOException("worker %d said '%s'".formatted(rank, answer));
        }
    }

    private String answer(int rank) throws IOException {
        String line = answers.get(rank).readLine();
        if (line == null) {
            throw new IOException(
                    "worker %d of %d ended; see its messages above"
                            .formatted(rank, workers.size()));
        }
        return line;
    }

    /**
     * {@return the time of a call of the first worker to the others in sequence, in the best round;
     * rounds repeat until times stop improving, since each worker JIT-compiles from its own calls}
     */
    double callMicros() throws IOException {
        double best = Double.MAX_VALUE;
        double before = best;
        int withoutImprovement = 0;
        while (withoutImprovement < ROUNDS_WITHOUT_IMPROVEMENT) {
            best = Math.min(best, micros(TestGroupWorker.CALLS));
            withoutImprovement++;
            if (best < SHORTER * before) {
                before = best;
                withoutImprovement = 0;
            }
        }
        return best;
    }

    /** {@return the time of a call when all workers wait} */
    double callApartMicros() throws IOException {
        return micros(TestGroupWorker.CALLS_APART);
    }

    /**
     * Median times until all others have a tensor of 8 MiB.
     *
     * @param tree of a broadcast
     * @param calls of a call to each
     */
    record Broadcasts(double tree, double calls) {}

    /** {@return the times of both, which are measured in turns} */
    Broadcasts broadcastMicros() throws IOException {
        double[] tree = new double[BROADCAST_ROUNDS];
        double[] calls = new double[BROADCAST_ROUNDS];
        for (int round = -1; round < BROADCAST_ROUNDS; round++) {
            int at = Math.max(0, round); // the first round only warms up
            tree[at] = micros(TestGroupWorker.BROADCAST);
            calls[at] = micros(TestGroupWorker.CALLS_WITH_TENSOR);
        }
        Arrays.sort(tree);
        Arrays.sort(calls);
        return new Broadcasts(tree[BROADCAST_ROUNDS / 2], calls[BROADCAST_ROUNDS / 2]);
    }

    private double micros(String question) throws IOException {
        var questions = workers.getFirst().outputWriter();
        questions.write(question + "\n");
        questions.flush();
        return Double.parseDouble(answer(0));
    }

    /** {@return the processor time of a worker since its start} */
    double cpuSeconds() {
        Duration all = Duration.ZERO;
        for (Process worker : workers) {
            all = all.plus(worker.info().totalCpuDuration().orElseThrow());
        }
        return all.toNanos() / 1e9 / workers.size();
    }

    /** {@return the proportional set size of a worker} */
    double memoryMib() throws IOException {
        double kib = 0;
        for (Process worker : workers) {
            kib += pssKib(worker.pid());
        }
        return kib / 1024 / workers.size();
    }

    private static long pssKib(long pid) throws IOException {
        Path file = Path.of("/proc", Long.toString(pid), "smaps_rollup");
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("Pss:")) {
                return Long.parseLong(line.split("\\s+", -1)[1]);
            }
        }
        throw new IOException(file + " has no line 'Pss:'");
    }

    /** {@return the size of the files in the driver's folder for each worker} */
    double sharedMemoryMib() throws IOException {
        long bytes = 0;
        try (var files = Files.walk(driver)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes / 1024.0 / 1024 / workers.size();
    }

    @Override
    public void close() throws IOException {
        for (Process worker : workers) {
            worker.getOutputStream().close();
        }
        try {
            for (Process worker : workers) {
                if (!worker.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                    worker.destroyForcibly();
                }
            }
        } catch (InterruptedException _) {
            workers.forEach(Process::destroyForcibly);
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(meeting);
    }
}
