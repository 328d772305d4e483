package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Workers that Slurm starts, on a cluster of one node. */
class SlurmTest {
    @TempDir static Path folder = Path.of("");
    private static @Nullable SlurmCluster cluster;

    @BeforeAll
    static void start() throws IOException {
        Project.require(true, "srun", "sbatch", "sinfo", "slurmctld", "slurmd", "munged");
        cluster = SlurmCluster.start(folder);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static Map<String, String> environment() {
        return Objects.requireNonNull(cluster).environment();
    }

    private static List<String> greetings(String output) {
        return output.lines().filter(line -> line.contains("hello")).toList();
    }

    @Test
    void tasksOfAStepMeetAndCall() throws Exception {
        List<String> command =
                Stream.concat(
                                Stream.of("srun", "--ntasks=4", "--overcommit"),
                                Project.hello().stream())
                        .toList();
        try (Run run = Run.start(folder, environment(), command)) {
            assertEquals(List.of(Project.GREETING), greetings(run.succeed()));
        }
    }

    @Test
    void trainedModelIsThatOfTheLauncher() throws Exception {
        List<String> srun =
                List.of("srun", "--ntasks=" + TrainedModel.WORKERS, "--overcommit", "--unbuffered");
        List<String> command =
                Stream.of(srun, TrainedModel.worker(folder)).flatMap(List::stream).toList();
        try (Run run = Run.start(folder, environment(), command)) {
            assertEquals(TrainedModel.ofLauncher(folder), TrainedModel.result(run.succeed()));
        }
    }

    @Test
    void scriptOfTheDistributionRunsAGroupWithAToken() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path output = folder.resolve("job.txt");
        Map<String, String> variables = new HashMap<>(environment());
        variables.put("HOME", home.toString());
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        variables.put("GRADWIRE_DIST", Project.distribution().toString());
        String script = Project.root().resolve("dist/slurm/gradwire.sbatch").toString();
        try (Run run =
                Run.start(
                        folder,
                        variables,
                        List.of(
                                "sbatch",
                                "--wait",
                                "--nodes=1",
                                "--ntasks-per-node=2",
                                "--cpus-per-task=1",
                                "--output=" + output,
                                script))) {
            assertEquals(0, run.awaitStatus(), () -> run.output() + read(output));
        }
        assertEquals(List.of("0: " + Project.GREETING), greetings(read(output)));
        try (Stream<Path> left = Files.list(home)) {
            assertEquals(List.of(), left.filter(Files::isRegularFile).toList());
        }
    }

    /** Two launchers, each with two workers. */
    @Test
    void launchersOfAStepStartOneGroup() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "a token of 28 characters, ok");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        List<String> command =
                Stream.concat(
                                Stream.of("srun", "--ntasks=2", "--overcommit"),
                                Project.launcher(
                                        "run",
                                        "--scheduler",
                                        "--workers=2",
                                        "--token-file=" + token,
                                        "hello")
                                        .stream())
                        .toList();
        try (Run run = Run.start(folder, environment(), command)) {
            assertEquals(List.of("worker0 | " + Project.GREETING), greetings(run.succeed()));
        }
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The script itself runs once: its variables do not make it one of four workers. */
    @Test
    void workerWithoutSrunIsRefused() throws Exception {
        Path output = folder.resolve("alone.txt");
        String wrapped = String.join(" ", Project.hello());
        try (Run run =
                Run.start(
                        folder,
                        environment(),
                        List.of(
                                "sbatch",
                                "--wait",
                                "--ntasks=4",
                                "--overcommit",
                                "--output=" + output,
                                "--wrap=" + wrapped))) {
            assertTrue(run.awaitStatus() != 0, run::output);
        }
        String text = read(output);
        assertTrue(text.contains("Slurm set SLURM_PROCID=0, SLURM_NTASKS=4"), text);
        assertTrue(text.contains("but not SLURM_STEP_ID (start the workers with srun)"), text);
    }
}
