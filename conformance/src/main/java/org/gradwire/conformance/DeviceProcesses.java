package org.gradwire.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.ProcessWorld;
import org.gradwire.conformance.harness.ProcessWorld.Member;
import org.gradwire.conformance.processes.DeviceWorker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/**
 * Tests that tensors go from device to device between two processes that share {@code cuda:0}, and
 * that memory comes back from a process that was killed. The settings of the backend name the
 * device's libraries, where those are not the machine's.
 */
@Tag("devices")
@Tag("processes")
public abstract class DeviceProcesses extends CaseSuite {
    /** System property with the seed of the tensors. */
    public static final String SEED = "conformance.device-seed";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SHARED = "num_shared_device_tensors";
    private static final String COPIED = "num_copied_device_tensors";

    private final long seed = Long.getLong(SEED, System.nanoTime());

    /** For subclasses. */
    protected DeviceProcesses() {}

    @Test
    void tensorsGoFromDeviceToDevice() {
        String seedText = "-D%s=%d".formatted(SEED, seed);
        IO.println(seedText);
        try (var world = ProcessWorld.start(backend(), 2, DeviceWorker.class)) {
            List<Member> members = world.members();
            assertEquals(
                    List.of("right=true", "right=true"),
                    ProcessWorld.ask(members, "exchange " + seed, PATIENCE),
                    seedText);
            String copied = Integer.toString(2 * DeviceWorker.SIZES.size()); // sent and returned
            for (String figure : List.of(COPIED + " " + copied, SHARED + " 0")) {
                String value = figure.substring(figure.indexOf(' ') + 1);
                assertEquals(
                        List.of(value, value),
                        ProcessWorld.ask(members, "expect " + figure, PATIENCE));
            }
            members.forEach(Member::endInput);
            world.awaitEnds(PATIENCE);
        }
    }

    @Test
    void memoryComesBackFromAKilledProcess() {
        try (var world = ProcessWorld.start(backend(), 2, DeviceWorker.class)) {
            Member survivor = world.member(0);
            Member doomed = world.member(1);
            doomed.freeze(); // before it can copy
            assertEquals("begun", asked(survivor, "send"));
            assertEquals("1", asked(survivor, "expect " + SHARED + " 1"));
            doomed.kill();
            assertEquals("CONNECTION", asked(survivor, "outcome"));
            assertEquals("0", asked(survivor, "expect " + SHARED + " 0"));
            survivor.endInput();
            world.awaitEnds(PATIENCE);
        }
    }

    private static String asked(Member member, String command) {
        return ProcessWorld.ask(List.of(member), command, PATIENCE).getFirst();
    }
}
