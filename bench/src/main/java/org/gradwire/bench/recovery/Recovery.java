package org.gradwire.bench.recovery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Kills workers of a group in sequence, and measures the time to the first new step after each.
 *
 * @param program of the workers
 * @param workers number of them
 * @param folder for files of the groups
 * @param seed of the moments of the kills
 */
public record Recovery(RecoveryProgram program, int workers, Path folder, long seed) {
    /** The launcher delays the restart of a worker that has run for a shorter time. */
    private static final Duration STABLE = Duration.ofSeconds(31);

    /** Time in which a standby has started and loaded its classes. */
    private static final Duration READY = Duration.ofSeconds(8);

    /**
     * Measure the launcher, which starts the killed worker again while the others wait for it.
     *
     * @param launcher command line of the launcher
     * @param modules folder with this module
     * @param standbys number of JVMs that wait to become the killed worker
     * @return the times
     * @throws IOException if a group did not continue, or has left something
     */
    public List<Duration> ofGradwire(List<String> launcher, Path modules, int standbys, int kills)
            throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(
                List.of(
                        "run",
                        "--no-prefix",
                        "--workers=" + workers,
                        "--restarts=" + kills,
                        "--standbys=" + standbys,
                        "--module-path=" + modules,
                        program.main()));
        var pauses = new Pauses(standbys > 0 ? READY : Duration.ZERO, STABLE);
        return measure(command, kills, pauses, /* leavesNothing= */ true);
    }

    /**
     * Measure PyTorch's supervisor, which starts all workers again.
     *
     * @param command of the supervisor, to which this adds the numbers of restarts and workers, and
     *     the arguments of the workers
     */
    public List<Duration> ofTorchrun(List<String> command, int kills) throws IOException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(Integer.toString(kills), Integer.toString(workers)));
        // It leaves a folder torchelastic_* with logs.
        var pauses = new Pauses(Duration.ZERO, Duration.ZERO);
        return measure(all, kills, pauses, /* leavesNothing= */ false);
    }

    /**
     * The times before kills.
     *
     * @param any before each kill
     * @param stable age of a worker that was killed before
     */
    private record Pauses(Duration any, Duration stable) {}

    private List<Duration> measure(
            List<String> command, int kills, Pauses pauses, boolean leavesNothing)
            throws IOException {
        Path files = Files.createTempDirectory(folder, "run");
        Path state = Files.createDirectory(folder.resolve("state"));
        Path stop = folder.resolve("stop");
        List<String> all =
                Stream.concat(command.stream(), program.arguments(stop, state).stream()).toList();
        String mark = "BENCH_RECOVERY=" + UUID.randomUUID();
        Map<String, String> environment =
                Map.of(
                        "BENCH_RECOVERY",
                        mark.substring(mark.indexOf('=') + 1),
                        "XDG_RUNTIME_DIR",
                        files.toString(),
                        "TMPDIR",
                        files.toString());
        var leftovers = Leftovers.before(mark, files);
        List<Duration> times = new ArrayList<>();
        Path log = folder.resolve(files.getFileName() + ".log");
        try (var group = new ElasticGroup(workers, all, environment, stop, log)) {
            kill(group, kills, pauses, times);
            int status = group.end();
            List<String> left = leftovers.find();
            if (status != 0 || (leavesNothing && !left.isEmpty())) {
                throw new IOException(
                        "the group ended with code %d and left %s".formatted(status, left));
            }
        } catch (IOException e) {
            throw new IOException(
                    "after %d of %d kills of %d workers: %s; %s has what they printed, the seed is %d"
                            .formatted(times.size(), kills, workers, e.getMessage(), log, seed),
                    e);
        }
        delete(files);
        delete(state);
        return times;
    }

    private void kill(ElasticGroup group, int kills, Pauses pauses, List<Duration> times)
            throws IOException {
        var random = new Random(seed);
        for (int kill = 0; kill < kills; kill++) {
            int rank = kill % workers;
            pause(pauses.any);
            pause(kill < workers ? Duration.ZERO : pauses.stable.minus(group.age(rank)));
            pause(Duration.ofMillis(random.nextLong(program.mostPause().toMillis())));
            times.add(group.kill(rank));
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void pause(Duration time) {
        long deadlineNanos = System.nanoTime() + time.toNanos();
        while (deadlineNanos - System.nanoTime() > 0) {
            LockSupport.parkNanos(deadlineNanos - System.nanoTime());
        }
    }
}
