package org.gradwire.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.ProcessWorld;
import org.gradwire.conformance.harness.ProcessWorld.Member;
import org.gradwire.conformance.processes.TrafficWorker;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Kills or stops (SIGSTOP) a process at a random time while all workers are busy. Operations that
 * involve the victim fail, in time and with a typed error; all others succeed, run once and leave
 * nothing behind. For backends that connect processes; run it in addition to {@link
 * ProcessConformance}.
 *
 * <p>By default there is one round for each kind of work. System property {@value #ROUNDS} sets the
 * number of rounds, {@value #SEED} repeats a failed round, whose name contains its seed.
 */
@Tag("faults")
public abstract class ProcessFaults extends CaseSuite {
    /** System property with the number of rounds in which a worker is killed. */
    public static final String ROUNDS = "conformance.kills";

    /** System property with the seed of the first round; later rounds increment it. */
    public static final String SEED = "conformance.kill-seed";

    private static final int SIZE = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LONGEST_LIFE = Duration.ofMillis(500);
    private static final Duration SHORT_STOP = Duration.ofMillis(700);
    private static final List<String> WORK = List.of("CALLS", "REFERENCES", "BACKWARD", "LEAVING");

    /** For subclasses. */
    protected ProcessFaults() {}

    @TestFactory
    Stream<DynamicTest> aWorkerIsKilledAtARandomMoment() {
        int rounds = Integer.getInteger(ROUNDS, WORK.size());
        long first = Long.getLong(SEED, System.nanoTime());
        return IntStream.range(0, rounds).mapToObj(round -> killing(first + round));
    }

    private DynamicTest killing(long seed) {
        String work = WORK.get(Math.floorMod(seed, WORK.size()));
        return DynamicTest.dynamicTest(
                "amid %s, -D%s=%d".formatted(work, SEED, seed),
                () -> {
                    if (work.equals("LEAVING")) {
                        killWhileAllLeave(seed);
                    } else {
                        killAmid(work, seed);
                    }
                });
    }

    private void killAmid(String work, long seed) {
        try (var world = ProcessWorld.start(backend(), SIZE, TrafficWorker.class)) {
            List<Member> all = world.members();
            List<Member> survivors = all.subList(0, SIZE - 1);
            ProcessWorld.ask(all, "begin " + work + " " + seed, PATIENCE);
            waitAtRandom(seed);
            all.getLast().kill();
            assertInOrder(survivors);
            end(world, survivors);
        }
    }

    private void killWhileAllLeave(long seed) {
        try (var world = ProcessWorld.start(backend(), SIZE, TrafficWorker.class)) {
            List<Member> all = world.members();
            List<Member> survivors = all.subList(0, SIZE - 1);
            ProcessWorld.ask(all, "begin CALLS " + seed, PATIENCE);
            ProcessWorld.ask(all, "stop", PATIENCE);
            all.forEach(member -> member.say("leave"));
            waitAtRandom(seed);
            all.getLast().kill();
            for (Member survivor : survivors) {
                String how = survivor.await("leave", PATIENCE);
                assertTrue(how.startsWith("ended"), how);
            }
            end(world, survivors);
        }
    }

    @Test
    void aWorkerThatIsStoppedForAMomentIsMissedByNobody() {
        try (var world = ProcessWorld.start(backend(), SIZE, TrafficWorker.class)) {
            List<Member> all = world.members();
            ProcessWorld.ask(all, "begin CALLS 1", PATIENCE);
            all.getLast().freeze();
            LockSupport.parkNanos(SHORT_STOP.toNanos());
            all.getLast().thaw();
            assertInOrder(all);
            for (Member member : all) {
                member.say("figures");
                String figures = member.await("figures", PATIENCE);
                assertTrue(figures.endsWith(" failed=0"), figures);
            }
            end(world, all);
        }
    }

    @Test
    void aWorkerThatIsStoppedForLongIsLostAndLearnsOfIt() {
        try (var world = ProcessWorld.start(backend(), SIZE, TrafficWorker.class)) {
            List<Member> all = world.members();
            List<Member> others = all.subList(0, SIZE - 1);
            ProcessWorld.ask(all, "begin CALLS 2", PATIENCE);
            all.getLast().freeze();
            for (Member member : others) {
                member.say("lost");
                assertEquals("failed=1", member.await("lost", PATIENCE));
            }
            assertInOrder(others);
            all.getLast().thaw();
            all.getLast().say("stop");
            assertEquals("ended=true violations=[]", all.getLast().await("stop", PATIENCE));
            end(world, all);
        }
    }

    /** Assert that every operation ended correctly, ran once, and left nothing behind. */
    private static void assertInOrder(List<Member> members) {
        for (String outcome : ProcessWorld.ask(members, "stop", PATIENCE)) {
            assertEquals("ended=true violations=[]", outcome);
        }
        for (String rest : ProcessWorld.ask(members, "clean", PATIENCE)) {
            assertEquals("left=[] repeated=0", rest);
        }
    }

    private static void end(ProcessWorld world, List<Member> members) {
        members.forEach(Member::endInput);
        world.awaitEnds(PATIENCE);
    }

    /**
     * Sleep for a random time. It synchronises with nothing: the time of the fault is the input.
     */
    private static void waitAtRandom(long seed) {
        long nanos = new Random(seed).nextLong(LONGEST_LIFE.toNanos());
        LockSupport.parkNanos(nanos);
    }
}
