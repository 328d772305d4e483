package org.gradwire.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.ProcessHost;
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
 * Tests three workers on two hosts whose network loses 5 % of the frames, delays the others by 50
 * ms on average, reorders them, and is cut for a time. The last worker is alone on its host. Every
 * operation ends: with the right result and exactly once or, if the cut outlasts the backend's
 * liveness time, with a typed error in time.
 *
 * <p>The hosts are Linux namespaces, which need root; without permission the tests are skipped and
 * print why. The backend must listen at the address of the host's default route. System property
 * {@value #EXTENT} set to {@code all} cuts the network during each kind of work, and for 30 s;
 * {@value #SEED} repeats the faults of a run, provided the frames are the same.
 */
@Tag("faults")
public abstract class NetworkFaults extends CaseSuite {
    /** System property that selects all cases, which take minutes. */
    public static final String EXTENT = "conformance.networks";

    /** System property with the seed of losses and delays. */
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
     * {@return the backend with a liveness time of a few seconds, shorter than the long cuts; the
     * liveness time of {@link #backend} must be between 3 s and 30 s}
     */
    protected abstract BackendUnderTest impatientBackend();

    @BeforeAll
    static void requireNetworks() {
        String obstacle = Network.obstacle();
        if (!obstacle.isEmpty()) {
            String reason = "skipped: this machine cannot create hosts in namespaces: " + obstacle;
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
                var world = ProcessWorld.start(backend(), hosts(network), TrafficWorker.class)) {
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
                                impatientBackend(), hosts(network), TrafficWorker.class)) {
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
                var world = ProcessWorld.start(backend(), hosts(network), TrafficWorker.class)) {
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

    /**
     * Cut off the last worker during calls, until all workers have noticed and continue without it.
     */
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

    /** Assert that every operation ended correctly, ran once, and left nothing behind. */
    private static void assertInOrder(List<Member> members) {
        assertAll(IN_ORDER, ask(members, "stop"));
        assertAll(NOTHING_LEFT, ask(members, "clean"));
    }

    private static void assertFaults(Network network) {
        Network.Figures figures = network.figures();
        assertTrue(figures.lost() > 0, "the network lost no frame: " + figures);
        assertTrue(figures.cutOff() > 0, "the cut stopped no frame: " + figures);
    }

    private static void assertAll(String expected, List<String> actual) {
        actual.forEach(each -> assertEquals(expected, each));
    }

    private static List<ProcessHost> hosts(Network network) {
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
