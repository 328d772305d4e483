package org.gradwire.schedulers;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Harms a training at moments, and in ways, that follow from a seed.
 *
 * @param supervisor of the workers
 * @param output of the training
 * @param stepsPerKill after which the next harm is done at once
 * @param impossible ways that are replaced by {@link Way#KILL}
 * @param store where the group meets; null if it is a file
 */
record Killer(
        Supervisor supervisor,
        int workers,
        Path output,
        int stepsPerKill,
        Set<Way> impossible,
        @Nullable Etcd store) {
    private static final int LONGEST_MILLIS = 1500;
    private static final int POLL_MILLIS = 10;
    private static final int STOPPED_MILLIS = 9000; // longer than the liveness of the workers

    /** A way to harm a training. */
    enum Way {
        /** Kill a worker. */
        KILL(12),
        /** Kill a worker, and the one that replaces it as soon as it has started. */
        KILL_TWICE(3),
        /** Kill two workers at once. */
        KILL_TWO(3),
        /** Kill all workers at once. */
        KILL_ALL(1),
        /** Kill all workers, and cut the end of the newest checkpoint off. */
        TEAR(2),
        /** Stop a worker until the others have lost it, and continue it. */
        STOP(1),
        /** Fill the disk for a while, and kill a worker meanwhile. */
        FILL(2),
        /** Kill the store of the group, and start it again. */
        RESTART_STORE(2);

        private final int weight;

        Way(int weight) {
            this.weight = weight;
        }
    }

    /** Harm a number of times, or until the training has ended; {@return how often in which way} */
    Map<Way, Integer> run(int times, SplittableRandom random) throws IOException {
        Map<Way, Integer> done = new TreeMap<>();
        for (int time = 0; time < times && !supervisor.hasEnded(); time++) {
            pauseOrProgress(random.nextInt(LONGEST_MILLIS));
            Way way = way(random);
            if (impossible.contains(way)) {
                way = Way.KILL;
            }
            harm(way, random);
            done.merge(way, 1, Integer::sum);
        }
        return done;
    }

    private static Way way(SplittableRandom random) {
        int all = Stream.of(Way.values()).mapToInt(way -> way.weight).sum();
        int chosen = random.nextInt(all);
        for (Way way : Way.values()) {
            chosen -= way.weight;
            if (chosen < 0) {
                return way;
            }
        }
        throw new IllegalStateException("weights");
    }

    private void harm(Way way, SplittableRandom random) throws IOException {
        int rank = random.nextInt(workers);
        switch (way) {
            case KILL -> kill(rank);
            case KILL_TWICE -> {
                kill(rank);
                pause(random.nextInt(LONGEST_MILLIS));
                kill(rank);
            }
            case KILL_TWO -> {
                kill(rank);
                kill((rank + 1 + random.nextInt(workers - 1)) % workers);
            }
            case KILL_ALL -> killAll();
            case TEAR -> {
                killAll();
                tear(random);
            }
            case STOP -> stop(rank);
            case FILL -> fill(rank, random);
            case RESTART_STORE -> Objects.requireNonNull(store).killAndRestart();
        }
    }

    private void kill(int rank) {
        boolean _ = supervisor.signal(rank, "KILL");
    }

    private void killAll() {
        for (int rank = 0; rank < workers; rank++) {
            kill(rank);
        }
    }

    private void stop(int rank) {
        ProcessHandle process = supervisor.process(rank);
        if (Supervisor.signal(process, "STOP")) {
            pause(STOPPED_MILLIS);
            boolean _ = Supervisor.signal(process, "CONT");
        }
    }

    /** Cut the end of a shard of the newest checkpoint off. */
    private void tear(SplittableRandom random) throws IOException {
        if (CheckpointContent.newestStep(output) == 0) {
            return;
        }
        try (Stream<Path> files = Files.walk(output.resolve("checkpoints"))) {
            var newest =
                    files.filter(file -> file.toString().matches(".*/step-\\d+/rank-[^/]+"))
                            .max(Path::compareTo);
            if (newest.isPresent()) {
                try (var shard = FileChannel.open(newest.get(), StandardOpenOption.WRITE)) {
                    var _ = shard.truncate(random.nextLong(Math.max(1, shard.size())));
                }
            }
        }
    }

    private void fill(int rank, SplittableRandom random) throws IOException {
        Path filler = output.resolve("filler");
        try (var file = Files.newOutputStream(filler)) {
            byte[] zeros = new byte[1 << 16];
            while (true) {
                file.write(zeros);
            }
        } catch (IOException _) {
            kill(rank);
            pause(random.nextInt(LONGEST_MILLIS));
        } finally {
            Files.deleteIfExists(filler);
        }
    }

    /** Pause, until the training has done some steps. */
    private void pauseOrProgress(int millis) {
        long enough = CheckpointContent.newestStep(output) + stepsPerKill;
        for (int left = millis; left > 0; left -= POLL_MILLIS) {
            if (CheckpointContent.newestStep(output) >= enough) {
                return;
            }
            pause(Math.min(left, POLL_MILLIS));
        }
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis)); // a random moment
    }
}
