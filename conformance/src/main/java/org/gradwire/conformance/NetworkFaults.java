package org.gradwire.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.Place;
import org.gradwire.conformance.harness.ProcessWorld;
import org.gradwire.conformance.harness.ProcessWorld.Member;
import org.gradwire.conformance.network.LinkFaults;
import org.gradwire.conformance.network.Network;
import org.gradwire.conformance.processes.TrafficWorker;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Workers on two hosts, of which one is the last worker's, and a network between them that loses 5
 * % of the frames, delays them by 50 ms, reorders them, and is cut for a time. All that is begun
 * ends: with the right result and once, or, where the cut lasts longer than the backend's liveness,
 * with a typed error in time.
 *
 * <p>The hosts are namespaces of Linux, for which the test must run as root; where that is not
 * permitted it is skipped, and says so. The backend must listen at the address of its host's
 * default route. System property {@value #EXTENT} set to {@code all} cuts the network amid each
 * kind of work, and for 30 s; {@value #SEED} repeats the faults of a run, as far as the frames are
 * the same.
 */
@Tag("faults")
public abstract class NetworkFaults extends CaseSuite {
    /** Names the system property that asks for all cases, which take minutes. */
    public static final String EXTENT = "conformance.networks";

    /** Names the system property with the seed of losses and delays. */
    public static final String SEED = "conformance.network-seed";

    private static final boolean IS_WHOLE = "all".equals(System.getProperty(EXTENT));
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SHORT_CUT = Duration.ofSeconds(3);
    private static final Duration LONG_CUT = Duration.ofSeconds(30);
    private static final long FAST_MILLIS = 1000;
    private static final int ENOUGH = 3;
    private static final List<String> WORK = List.of("CALLS", "REFERENCES", "BACKWARD");
    private static final String IN_ORDER = "ended=true violations=[]";
    private static final String NOTHING_LEFT = "left=[] repeated=0";

    private final long seed = Long.getLong(SEED, System.nanoTime());
    private final LinkFaults faults =
            new LinkFaults(0.05, Duration.ofMillis(50), Duration.ofMillis(10), seed);

    /** For subclasses. */
    protected NetworkFaults() {}

    /**
     * {@return the backend with a liveness of some seconds, for cuts that last longer; that of
     * {@link #backend} is to be longer than 3 s and shorter than 30 s}
     */
    protected abstract BackendUnderTest impatientBackend();

    @BeforeAll
    static void requireNetworks() {
        String obstacle = Network.obstacle();
        if (!obstacle.isEmpty()) {
            String reason = "skipped: hosts in namespaces are not possible here: " + obstacle;
            IO.println(reason);
            abort(reason);
        }
    }

    @TestFactory
    Stream<DynamicTest> aFaultyNetworkIsNotNoticed() {
        if (!IS_WHOLE) {
            return Stream.of(cutting(SHORT_CUT, "CALLS"));
        }
        Duration almostTooLong = backend().livenessTime().multipliedBy(6).dividedBy(10);
        return Stream.concat(
                WORK.stream().map(work -> cutting(SHORT_CUT, work)),
                Stream.of(cutting(almostTooLong, "CALLS")));
    }

    private DynamicTest cutting(Duration time, String work) {
        return DynamicTest.dynamicTest(
                "cut for %s amid %s, -D%s=%d".formatted(time, work, SEED, seed),
                () -> workAndCut(time, work));
    }

    private void workAndCut(Duration time, String cutAmid) throws IOException {
        try (var network = startNetwork();
                var world = ProcessWorld.start(backend(), places(network), TrafficWorker.class)) {
            for (String work : WORK) {
                ask(world.members(), "begin " + work + " " + seed);
                if (work.equals(cutAmid)) {
                    network.cut();
                    LockSupport.parkNanos(time.toNanos()); // the fault itself
                    network.heal();
                }
                assertAll("enough=true", ask(world.members(), "more " + ENOUGH));
                assertInOrder(world.members());
                assertAll("[]", ask(world.members(), "kinds"));
            }
            assertFaults(network);
            assertAll("ended", ask(world.members(), "leave"));
            end(world);
        }
    }

    @Test
    void aWorkerThatIsCutOffForLongIsLostAndAllCanLeave() throws IOException {
        try (var network = startNetwork();
                var world =
                        ProcessWorld.start(
                                impatientBackend(), places(network), TrafficWorker.class)) {
            loseTheLast(world, network);
            leave(world);
            assertFaults(network);
        }
    }

    @Test
    void aWorkerThatWasCutOffForLongStaysLost() throws IOException {
        if (!IS_WHOLE) {
            abort("takes a minute; -D%s=all runs it".formatted(EXTENT));
        }
        try (var network = startNetwork();
                var world = ProcessWorld.start(backend(), places(network), TrafficWorker.class)) {
            long start = System.nanoTime();
            loseTheLast(world, network);
            LockSupport.parkNanos(start + LONG_CUT.toNanos() - System.nanoTime());
            network.heal();
            assertLost(world);
            leave(world);
        }
    }

    private Network startNetwork() throws IOException {
        IO.println("-D%s=%d".formatted(SEED, seed));
        return Network.start(faults);
    }

    /** Cut the last worker off amid calls, until all know and go on without it. */
    private void loseTheLast(ProcessWorld world, Network network) {
        ask(world.members(), "begin CALLS " + seed);
        assertAll("enough=true", ask(world.members(), "more 1"));
        network.cut();
        List<String> failures = ask(world.members(), "lost");
        assertEquals(List.of("failed=1", "failed=1"), failures.subList(0, 2));
        List<Member> together = world.members().subList(0, 2);
        assertAll("enough=true", ask(together, "more " + ENOUGH));
        assertInOrder(world.members());
        for (String kinds : ask(world.members(), "kinds")) {
            assertTrue(List.of("[CONNECTION]", "[TIMEOUT]").contains(kinds), kinds);
        }
        assertLost(world);
    }

    private static void assertLost(ProcessWorld world) {
        for (String outcome : ask(world.members().subList(0, 2), "last")) {
            String[] words = outcome.split(" ", -1);
            assertEquals("CONNECTION", words[0]);
            assertTrue(Long.parseLong(words[1]) <= FAST_MILLIS, outcome + " ms");
        }
    }

    private static void leave(ProcessWorld world) {
        for (String how : ask(world.members(), "leave")) {
            assertTrue(how.startsWith("ended"), how);
        }
        end(world);
    }

    /** All that was begun has ended as it should, has run once, and nothing of it is left. */
    private static void assertInOrder(List<Member> members) {
        assertAll(IN_ORDER, ask(members, "stop"));
        assertAll(NOTHING_LEFT, ask(members, "clean"));
    }

    private static void assertFaults(Network network) {
        Network.Figures figures = network.figures();
        assertTrue(figures.lost() > 0, "nothing was lost: " + figures);
        assertTrue(figures.cutOff() > 0, "nothing was cut off: " + figures);
    }

    private static void assertAll(String expected, List<String> actual) {
        actual.forEach(each -> assertEquals(expected, each));
    }

    private static List<Place> places(Network network) {
        return List.of(network.left(), network.left(), network.right());
    }

    private static List<String> ask(List<Member> members, String line) {
        return ProcessWorld.ask(members, line, PATIENCE);
    }

    private static void end(ProcessWorld world) {
        world.members().forEach(Member::endInput);
        world.awaitEnds(PATIENCE);
    }
}
