package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Workers that {@code mpirun} starts. */
class MpiTest {
    private static final List<String> MPIRUN = mpirun(4);

    @TempDir Path folder;

    private static List<String> mpirun(int workers) {
        return List.of(
                "mpirun",
                "--allow-run-as-root",
                "--oversubscribe",
                "-np",
                Integer.toString(workers));
    }

    @BeforeEach
    void requireMpi() throws IOException {
        Project.require(false, "mpirun");
    }

    @Test
    void workersMeetAndCall() throws Exception {
        List<String> command = Stream.concat(MPIRUN.stream(), Project.hello().stream()).toList();
        try (Run run = Run.start(folder, Map.of(), command)) {
            List<String> greetings =
                    run.succeed().lines().filter(line -> line.startsWith("hello")).toList();
            assertEquals(List.of(Project.GREETING), greetings);
        }
    }

    @Test
    void trainedModelIsThatOfTheLauncher() throws Exception {
        List<String> command =
                Stream.of(mpirun(TrainedModel.WORKERS), TrainedModel.worker(folder))
                        .flatMap(List::stream)
                        .toList();
        try (Run run = Run.start(folder, Map.of(), command)) {
            assertEquals(TrainedModel.ofLauncher(folder), TrainedModel.result(run.succeed()));
        }
    }

    /** As on several hosts, where not all processes are on the host of each. */
    @Test
    void severalHostsNeedAnAddress() throws Exception {
        List<String> shell =
                List.of("sh", "-c", "OMPI_COMM_WORLD_LOCAL_SIZE=2 exec \"$@\"", "worker");
        List<String> command =
                Stream.of(MPIRUN, shell, Project.hello()).flatMap(List::stream).toList();
        try (Run run = Run.start(folder, Map.of(), command)) {
            assertTrue(run.awaitStatus() != 0, run::output);
            assertTrue(
                    run.output()
                            .contains(
                                    "but not MASTER_ADDR (the host of rank 0, which Open MPI does not name)"),
                    run::output);
        }
    }
}
