package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Wrong usage of {@code gradwire hosts}, and the option by which a host ends its workers. */
class HostsIT {
    private static TestDistribution distribution;

    @BeforeAll
    static void createDistribution(@TempDir Path folder) throws Exception {
        distribution = TestDistribution.create(folder);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hosts | Missing required parameter: 'HOSTS'",
                "hosts h1,h2 | no program given: write it after --, as in ./gradwire hosts h1,h2 -- train",
                "hosts h1,h2 -- | no program given: write it after --",
                "hosts h1,h2 train | write -- before the program 'train': ./gradwire hosts HOSTS [OPTION...] -- train",
                "hosts h1,h1 -- train | host 'h1' is twice in 'h1,h1': name it once, with its number of workers: h1:2",
                "hosts , -- train | the list of hosts ',' has an empty entry: write HOST[,HOST...]",
                "hosts h1:x -- train | 'x' in 'h1:x' is not a number of workers from 1 to 32767",
                "hosts h1 --workers=0 -- train | --workers 0 must be from 1 to 32767: the workers on each host",
                "hosts h1,h2 --workers=20000 --directory=/d -- train | 2 hosts have 40000 workers; a group has at most 32767: lower --workers",
                "hosts h1 --workers=two -- train | 'two'",
                "hosts h1 --port=65535 --secure -- train | --port 65535 must be from 1 to 65534",
                "hosts h1 --address=me@h1 -- train | --address 'me@h1' must be the name or the address of the first host",
                "hosts h1 --directory=/d --env=GRADWIRE_AUTHENTICATION_TOKEN=x -- train | --env with a token shows it to every user",
                "hosts h1 --ssh=/no/ssh -- train | there is no program '/no/ssh' on this machine: install OpenSSH, or name its client with --ssh",
                "hosts h1 --timeout=soon -- train | 'soon' is not a duration",
                "hosts h1 -- train | the directory of Gradwire on the hosts is not known: add --directory DIR",
            })
    void wrongUsageNamesTheValueAndWhatToWrite(String command, String problem) throws Exception {
        try (var run = distribution.launch(command.split(" "))) {
            assertEquals(2, run.status(), run::errText);
            assertTrue(run.errText().contains(problem), run::errText);
        }
    }

    @Test
    void workersEndWithTheInputOfTheirLauncher() throws Exception {
        try (var run =
                distribution.launch("run", "--end-with-input", "-n2", "steps", "pid", "wait")) {
            List<ProcessHandle> workers = run.awaitProcesses("pid", 2);
            run.closeInput();
            assertEquals(143, run.status(), run::errText);
            assertTrue(
                    run.errText()
                            .contains(
                                    "gradwire: stopped, since its input ended: worker0 ended when asked (143); worker1 ended when asked (143)"),
                    run::errText);
            Processes.awaitEnd(workers, Duration.ZERO);
        }
    }

    @Test
    void workersOutliveTheInputOtherwise() throws Exception {
        try (var run = distribution.launch("run", "-n1", "steps", "pid", "out=last")) {
            run.closeInput();
            assertEquals(0, run.status(), run::errText);
            assertTrue(run.out().contains("worker0 | last"), () -> run.out().toString());
        }
    }
}
