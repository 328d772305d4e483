package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.schedulers.Killer.Way;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Trainings whose workers are killed at random moments, in steps, saves, loads and starts, and
 * whose files are damaged, against those that are not disturbed. {@code -Dkills=N} and {@code
 * -Dkills.seed=N} repeat a run.
 */
class SeededKillsTest {
    private static final int WORKERS = 4;
    private static final int KILLS = Integer.getInteger("kills", 4);
    private static final int STEPS_PER_KILL = 20;
    private static final Duration LIMIT = Duration.ofSeconds(120 + 20L * KILLS);

    @TempDir Path folder;

    /** A training that ends with a checkpoint. */
    enum Program {
        TRAIN("train-output"),
        PARAMETER_SERVER("parameter-server-output");

        private final String output;

        Program(String output) {
            this.output = output;
        }

        int steps() {
            return 2 * STEPS_PER_KILL * KILLS;
        }

        List<String> command() {
            return switch (this) {
                case TRAIN ->
                        Project.worker(
                                "org.gradwire.examples.train.Train",
                                "--steps=" + steps(),
                                "--seconds=100000",
                                "--steps-per-checkpoint=10",
                                "--batch=16");
                case PARAMETER_SERVER ->
                        Project.worker(
                                "org.gradwire.examples.parameterserver.ParameterServer",
                                Integer.toString(steps()));
            };
        }
    }

    private static Supervisor supervisor(Path run, String rendezvous, Program program) {
        return new Supervisor(
                run,
                WORKERS,
                rendezvous,
                Map.of("GRADWIRE_TENSORPIPE_LIVENESS", "1s"),
                program.command());
    }

    private static String fileStore(Path run) {
        return run.resolve("store").toUri().toString();
    }

    private CheckpointContent undisturbed(Program program) throws Exception {
        Path run = Files.createDirectories(folder.resolve("undisturbed"));
        try (Supervisor supervisor = supervisor(run, fileStore(run), program)) {
            supervisor.start();
            supervisor.awaitEnd(LIMIT);
            assertEquals(0, supervisor.restarts());
        }
        return CheckpointContent.newest(run.resolve(program.output));
    }

    @ParameterizedTest
    @EnumSource(Program.class)
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void resultIsThatOfAnUndisturbedRun(Program program) throws Exception {
        long seed = Long.getLong("kills.seed", new SplittableRandom().nextLong());
        System.out.printf("%s: -Dkills=%d -Dkills.seed=%d%n", program, KILLS, seed);
        CheckpointContent expected = undisturbed(program);
        assertEquals(program.steps(), expected.step());
        Path run = Files.createDirectories(folder.resolve("disturbed"));
        Path output = Files.createDirectory(run.resolve(program.output));
        try (SmallDisk disk = SmallDisk.mount(output);
                Etcd etcd = Etcd.isInstalled() ? Etcd.start(folder.resolve("etcd")) : null;
                Supervisor supervisor =
                        supervisor(
                                run,
                                etcd == null ? fileStore(run) : etcd.rendezvous("kills"),
                                program)) {
            supervisor.start();
            Set<Way> impossible = EnumSet.noneOf(Way.class);
            if (!disk.isMounted()) {
                impossible.add(Way.FILL);
            }
            if (etcd == null) {
                impossible.add(Way.RESTART_STORE);
            }
            var killer = new Killer(supervisor, WORKERS, output, STEPS_PER_KILL, impossible, etcd);
            Map<Way, Integer> done = killer.run(KILLS, new SplittableRandom(seed));
            supervisor.awaitEnd(LIMIT);
            System.out.printf("%s, %d processes started again%n", done, supervisor.restarts());
            int times = done.values().stream().mapToInt(Integer::intValue).sum();
            assertTrue(times >= KILLS * 3 / 4, "the training ended after few kills: " + done);
            expected.assertSame(CheckpointContent.newest(output));
        }
    }

    /** A small file system in memory over a folder, if the user is root. */
    private record SmallDisk(Path folder, boolean isMounted) implements AutoCloseable {

        static SmallDisk mount(Path folder) throws IOException {
            boolean isRoot = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
            return new SmallDisk(
                    folder,
                    isRoot && run("mount", "-t", "tmpfs", "-o", "size=16m", "none", folder + ""));
        }

        private static boolean run(String... command) throws IOException {
            return new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue() == 0;
        }

        @Override
        public void close() throws IOException {
            if (isMounted) {
                assertTrue(run("umount", "-l", folder.toString()));
            }
        }
    }
}
