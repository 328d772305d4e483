package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The ranks of the workers of launchers that a scheduler starts. */
class SchedulerWorldTest {
    private static Map<String, String> slurm(int task, int tasks, String hosts) {
        return Map.of(
                "SLURM_PROCID",
                Integer.toString(task),
                "SLURM_NTASKS",
                Integer.toString(tasks),
                "SLURM_JOB_ID",
                "1",
                "SLURM_STEP_ID",
                "0",
                "SLURM_STEP_NODELIST",
                hosts);
    }

    @Test
    void launcherHasTheRanksOfItsPlace() {
        assertEquals(
                new World(4, 8, 12, "w", Optional.of("tcp://n1:20017")),
                SchedulerWorld.of(4, "w", slurm(2, 3, "n[1-3]")));
        assertEquals(
                new World(4, 0, 12, "w", Optional.of("tcp://0.0.0.0:20017")),
                SchedulerWorld.of(4, "w", slurm(0, 3, "n[1-3]")));
        assertEquals(
                new World(2, 2, 4, "w", Optional.of("tcp://127.0.0.1:20017")),
                SchedulerWorld.of(2, "w", slurm(1, 2, "n1")));
    }

    @Test
    void onlyLauncherMeetsInTheDirectoryOfTheRun() {
        World world = SchedulerWorld.of(4, "w", slurm(0, 1, "n1"));
        assertEquals(new World(4, 0, 4, "w", Optional.empty()), world);
        assertTrue(world.isComplete());
    }

    private static String refusal(int workers, Map<String, String> environment) {
        return String.valueOf(
                assertThrows(
                                LauncherException.class,
                                () -> SchedulerWorld.of(workers, "w", environment))
                        .getMessage());
    }

    @Test
    void missingVariablesAreRefused() {
        String none = refusal(1, Map.of("HOME", "/root"));
        assertTrue(none.startsWith("--scheduler: no scheduler has set variables; start"), none);
        Map<String, String> environment = new HashMap<>(slurm(1, 2, "n1"));
        environment.remove("SLURM_STEP_ID");
        String some = refusal(1, environment);
        assertTrue(some.contains("but not SLURM_STEP_ID (start the workers with srun)"), some);
    }

    @Test
    void tooManyWorkersAreRefused() {
        assertEquals(
                "20000 launchers of Slurm with --workers 2 are 40000 workers; a group has at most 32767",
                refusal(2, slurm(1, 20000, "n[1-3]")));
    }
}
