package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;

import java.util.List;
import java.util.Optional;

class WorldOptionsTest {
    private static final ExecutionTarget TARGET = new ExecutionTarget("m", "m.Main");

    private static World world(Optional<Integer> wanted, String options) {
        var program = new Program(TARGET, "", wanted, true, List.of());
        String[] args = options.isEmpty() ? new String[0] : options.split(" ");
        return CommandLine.populateCommand(new WorldOptions(), args).world(program);
    }

    @Test
    void numberOfWorkersIsTheUsersElseTheProgramsElseTwo() {
        assertEquals(5, world(Optional.of(4), "-n5").workers());
        assertEquals(4, world(Optional.of(4), "").workers());
        assertEquals(2, world(Optional.empty(), "").workers());
    }

    @Test
    void groupOnOneMachineMeetsInTheDirectoryOfTheRun() {
        World world = world(Optional.empty(), "");
        assertEquals(2, world.worldSize());
        assertEquals(Optional.empty(), world.rendezvous());
        assertTrue(world.isComplete());
    }

    @Test
    void firstMachineOfSeveralHasTheRendezvous() {
        World world =
                world(Optional.empty(), "-n2 --world-size 4 --rendezvous tcp://10.0.0.1:29500");
        assertEquals(new World(2, 0, 4, "worker", Optional.of("tcp://10.0.0.1:29500")), world);
        assertFalse(world.isComplete());
    }

    @Test
    void joiningMachineTakesTheRanksAfterTheOthers() {
        World world =
                world(Optional.empty(), "-n2 --join 10.0.0.1:29500 --rank-offset 2 --world-size 4");
        assertEquals(new World(2, 2, 4, "worker", Optional.of("tcp://10.0.0.1:29500")), world);
        assertEquals(List.of(2, 3), world.ranks());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-n0 | --workers 0 must be 1 or more",
                "-n4 --world-size 3 --rendezvous tcp://h:1 | ranks 0 to 3 are not within --world-size 3",
                "--rank-offset 1 | ranks 1 to 2 are not within --world-size 2",
                "--world-size 3 | add --rendezvous tcp://HOST:PORT",
                "--join host --rank-offset 1 --world-size 3 | --join host must be HOST:PORT",
                "--join host:1 --world-size 3 | --join needs --rank-offset",
                "--join host:1 --rank-offset 1 | --join needs --rank-offset",
                "--scheduler --world-size 4 | leave them out",
                "--scheduler --rendezvous tcp://h:1 | leave them out",
                "--scheduler --join h:1 | leave them out",
                "--scheduler --rank-offset 1 | leave them out",
                "--rendezvous host:1 | --rendezvous host:1 must be tcp://HOST:PORT, etcd://HOST:PORT/JOB or file:///PATH",
                "--name-prefix a.b | --name-prefix 'a.b' must be letters",
            })
    void optionsThatDoNotFitAreRefused(String options, String problem) {
        var e = assertThrows(LauncherException.class, () -> world(Optional.empty(), options));
        assertTrue(String.valueOf(e.getMessage()).contains(problem), e.getMessage());
    }
}
