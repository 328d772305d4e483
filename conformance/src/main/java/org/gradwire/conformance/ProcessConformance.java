package org.gradwire.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.ProcessWorld;
import org.gradwire.conformance.harness.ProcessWorld.Member;
import org.gradwire.conformance.processes.ContextHolder;
import org.gradwire.conformance.processes.CrashSurvivor;
import org.gradwire.conformance.processes.GroupCaller;
import org.gradwire.conformance.processes.ModuleUser;
import org.gradwire.conformance.processes.PolicyWorker;
import org.gradwire.conformance.processes.StreamWorker;
import org.gradwire.conformance.processes.Trainer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Tests a backend between processes, one of which is killed. For backends that connect processes;
 * run it in addition to {@link BackendConformance}.
 */
@Tag("processes")
public abstract class ProcessConformance extends CaseSuite {
    private static final int SIZE = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** For subclasses. */
    protected ProcessConformance() {}

    @Test
    void survivorsOfAKilledWorkerGetTypedErrorsInTimeAndGoOnTogether() {
        try (var world = ProcessWorld.start(backend(), SIZE, CrashSurvivor.class)) {
            List<Member> survivors = IntStream.range(0, SIZE - 1).mapToObj(world::member).toList();
            assertEquals(List.of("sum=4.0", "sum=4.0", "sum=4.0"), all(survivors, "ask", PATIENCE));

            world.member(SIZE - 1).kill();
            long killed = System.nanoTime();
            String lost =
                    "call=CONNECTION barrier=CONNECTION newCall=CONNECTION toHere=CONNECTION newBarrier=CONNECTION";
            assertEquals(List.of(lost, lost, lost), all(survivors, "lost", PATIENCE));
            Duration took = Duration.ofNanos(System.nanoTime() - killed);
            Duration limit = backend().livenessTime().plus(backend().patience());
            assertTrue(took.compareTo(limit) < 0, "the loss was detected only after " + took);

            String together =
                    "ids={worker0=1, worker1=2, worker2=0} gradient=tensor([[2.,2.],[2.,2.]])";
            assertEquals(
                    List.of(together, together, together), all(survivors, "together", PATIENCE));
            survivors.forEach(Member::endInput);
            world.awaitEnds(PATIENCE);
        }
    }

    @Test
    void contextsOfAKilledWorkerAreGoneEverywhereWithTheirPasses() {
        try (var world = ProcessWorld.start(backend(), SIZE, ContextHolder.class)) {
            List<Member> survivors = IntStream.range(0, SIZE - 1).mapToObj(world::member).toList();
            Member doomed = world.member(SIZE - 1);
            doomed.say("open");
            assertEquals("sum=16.0", doomed.await("open", PATIENCE));
            survivors.getFirst().say("expect 1 1");
            survivors.get(1).say("expect 1 0");
            survivors.getLast().say("expect 1 0");
            assertEquals(
                    List.of("contexts=1 passes=1", "contexts=1 passes=0", "contexts=1 passes=0"),
                    survivors.stream().map(member -> member.await("expect", PATIENCE)).toList());

            doomed.kill();
            String nothing = "contexts=0 passes=0";
            survivors.forEach(member -> member.say("expect 0 0"));
            assertEquals(
                    List.of(nothing, nothing, nothing),
                    survivors.stream().map(member -> member.await("expect", PATIENCE)).toList());
            assertEquals(
                    List.of(
                            "gradient=tensor([8., 8.])",
                            "gradient=tensor([4., 4.])",
                            "gradient=tensor([2., 2.])"),
                    all(survivors, "together", PATIENCE));
            survivors.forEach(Member::endInput);
            world.awaitEnds(PATIENCE);
        }
    }

    @Test
    void anOptimizersStepNamesTheOwnerThatWasKilledAndHappensOnTheOthers() {
        try (var world = ProcessWorld.start(backend(), SIZE, Trainer.class)) {
            Member trainer = world.member(0);
            Member doomed = world.member(SIZE - 1);
            trainer.say("step");
            doomed.say("begun");
            assertEquals("here", doomed.await("begun", PATIENCE));
            doomed.kill();
            assertEquals(
                    "failed=[worker3] kind=CONNECTION done=[worker1, worker2] values=[-1.0, -1.0]",
                    trainer.await("step", PATIENCE));
            IntStream.range(0, SIZE - 1).mapToObj(world::member).forEach(Member::endInput);
            world.awaitEnds(PATIENCE);
        }
    }

    @Test
    void aModuleOfAKilledWorkerFailsInEachUseAndThoseOfOthersGoOn() {
        try (var world = ProcessWorld.start(backend(), SIZE, ModuleUser.class)) {
            Member user = world.member(0);
            user.say("make");
            assertEquals("3", user.await("make", PATIENCE));
            String well = "forward=[1,3] later=[1,3] parameters=2 train=worker%d again=[1,3]";
            String others = well.formatted(1) + " " + well.formatted(2) + " ";
            user.say("use");
            assertEquals(others + well.formatted(3), user.await("use", PATIENCE));

            world.member(SIZE - 1).kill();
            String lost =
                    "forward=CONNECTION later=CONNECTION parameters=CONNECTION train=CONNECTION again=CONNECTION";
            user.say("use");
            assertEquals(others + lost, user.await("use", PATIENCE));
            user.say("close");
            assertEquals("done", user.await("close", PATIENCE));
            IntStream.range(0, SIZE - 1).mapToObj(world::member).forEach(Member::endInput);
            world.awaitEnds(PATIENCE);
        }
    }

    @Test
    void callsOfAllMembersEndWhenOneIsKilled() {
        try (var world = ProcessWorld.start(backend(), SIZE, GroupCaller.class)) {
            Member caller = world.member(0);
            Member doomed = world.member(SIZE - 1);
            caller.say("all");
            String twice = "tensor([2., 2.])";
            assertEquals(
                    "ids=[1, 2, 3] copies=[%1$s, %1$s, %1$s]".formatted(twice),
                    caller.await("all", PATIENCE));
            caller.say("begin");
            assertEquals("done", caller.await("begin", PATIENCE));
            doomed.say("begun");
            assertEquals("here", doomed.await("begun", PATIENCE));
            doomed.kill();
            caller.say("end");
            String lost = "[worker3]CONNECTION";
            assertEquals(
                    "all=%1$s quorum=%1$s rest=[1, 2] broadcast=%1$s".formatted(lost),
                    caller.await("end", PATIENCE));
            IntStream.range(0, SIZE - 1).mapToObj(world::member).forEach(Member::endInput);
            world.awaitEnds(PATIENCE);
        }
    }

    @Test
    void streamsEndWhenEitherSideIsKilled() {
        try (var world = ProcessWorld.start(backend(), SIZE, StreamWorker.class)) {
            Member reader = world.member(0);
            Member doomedProducer = world.member(1);
            Member producer = world.member(2);
            Member doomedReader = world.member(SIZE - 1);
            reader.say("read worker1 1000");
            doomedReader.say("read worker2 1000");
            assertEquals("sum=499500.0", reader.await("read", PATIENCE));
            assertEquals("sum=499500.0", doomedReader.await("read", PATIENCE));
            doomedProducer.kill();
            doomedReader.kill();
            reader.say("rest");
            producer.say("closed");
            assertEquals("CONNECTION", reader.await("rest", PATIENCE));
            assertEquals("done", producer.await("closed", PATIENCE));
            List.of(reader, producer).forEach(Member::endInput);
            world.awaitEnds(PATIENCE);
        }
    }

    @Test
    void aPolicyHoldsBetweenProcesses() {
        try (var world = ProcessWorld.start(backend(), SIZE - 1, PolicyWorker.class)) {
            Member guarded = world.member(1);
            String denied = "PERMISSION_DENIED";
            assertEquals(
                    List.of(
                            "id=1 operator=%1$s fetch=%1$s again=1".formatted(denied),
                            "id=%1$s operator=%1$s fetch=%1$s again=%1$s".formatted(denied)),
                    all(List.of(world.member(0), world.member(2)), "ask", PATIENCE));
            guarded.say("ask");
            assertEquals(
                    "id=1 operator=tensor([2.]) fetch=1 again=1", guarded.await("ask", PATIENCE));
            guarded.say("denials");
            int denials = Integer.parseInt(guarded.await("denials", PATIENCE));
            assertTrue(denials >= 6, denials + " requests were refused");
            world.members().forEach(Member::endInput);
            world.awaitEnds(PATIENCE);
        }
    }

    private static List<String> all(List<Member> members, String line, Duration time) {
        members.forEach(member -> member.say(line));
        return members.stream().map(member -> member.await(line, time)).toList();
    }
}
