package org.gradwire.collective.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Random programs in simulated time, over a network that loses, repeats, delays and reorders
 * messages: each result has the right bits, or its member fails with all others, and nothing
 * remains. {@code -Dcollective.seed} repeats the first program, {@code -Dcollective.programs} sets
 * their number.
 */
@Timeout(120)
class SimulationTest {
    private static final int PROGRAMS = Integer.getInteger("collective.programs", 12);
    private static final Duration LONG = Duration.ofMinutes(20); // for retries of control messages

    private static final Set<RpcErrorKind> KINDS =
            Set.of(RpcErrorKind.TIMEOUT, RpcErrorKind.CONNECTION, RpcErrorKind.SHUTDOWN);

    /** Metrics that must be zero at the end. */
    private static final List<String> REMAINS =
            List.of(
                    "num_process_groups",
                    "num_early_collective_messages",
                    "num_owner_rrefs",
                    "num_forks",
                    "num_pending_users",
                    "num_pending_futures",
                    "num_unsent_messages",
                    "agent.client_active_calls",
                    "agent.client_call_bytes",
                    "agent.server_active_calls",
                    "agent.server_call_bytes",
                    "inproc.pending_calls",
                    "inproc.mailbox");

    private final long seed = Seeds.next();

    private static Map<String, String> settings(long seed, double lost, double disordered) {
        Map<String, String> settings =
                new HashMap<>(
                        Map.of(
                                "gradwire.simulation.seed", Integer.toString((int) seed),
                                "gradwire.faulty.backend", "inproc",
                                "gradwire.faulty.seed", Integer.toString((int) seed),
                                "gradwire.faulty.messages-to-fail", "",
                                "gradwire.faulty.messages-to-delay", "COLLECTIVE_REQ:0s..50ms"));
        settings.put("gradwire.faulty.requests-to-lose", "*:" + lost);
        settings.put("gradwire.faulty.replies-to-lose", "*:" + lost);
        settings.put("gradwire.faulty.requests-to-repeat", "*:" + disordered);
        settings.put("gradwire.faulty.requests-to-reorder", "*:" + disordered);
        return settings;
    }

    /** Run a program, check its ends, and return what must repeat. */
    private static String run(long seed, double lost, double disordered, boolean withLeaver) {
        int size = (withLeaver ? 3 : 2) + (int) Math.floorMod(seed, 3L);
        try (Workers workers = new Workers(size, "faulty", settings(seed, lost, disordered))) {
            var program = new SimulatedProgram(workers, seed, withLeaver);
            List<List<SimulatedProgram.End>> ends = program.run();
            String text = "seed %d: %s".formatted(seed, summary(ends));
            System.out.println(text);
            for (int group = 0; group < SimulatedProgram.GROUPS; group++) {
                assertGroup(ends, group, text);
            }
            int rank = program.leaver() == 0 ? 1 : 0;
            pass(workers.get(rank));
            assertNothingRemains(workers, program.leaver(), text);
            return text + " " + workers.get(rank).debugInfo().get("simulation.trace");
        }
    }

    private static List<List<String>> summary(List<List<SimulatedProgram.End>> ends) {
        return ends.stream()
                .map(groups -> groups.stream().map(SimulatedProgram.End::summary).toList())
                .toList();
    }

    private static void pass(Rpc rpc) {
        assertThrows(RpcTimeoutException.class, () -> rpc.promise().join(LONG));
    }

    /** After the failure of a member, no member passes a later barrier. */
    private static void assertGroup(List<List<SimulatedProgram.End>> ends, int group, String text) {
        int first = Integer.MAX_VALUE;
        for (List<SimulatedProgram.End> member : ends) {
            if (member.size() > group) {
                RpcException failure = member.get(group).failure();
                assertTrue(failure == null || KINDS.contains(failure.kind()), text + failure);
                first = Math.min(first, member.get(group).failedAt());
            }
        }
        for (List<SimulatedProgram.End> member : ends) {
            assertTrue(member.size() <= group || member.get(group).lastBarrier() <= first, text);
        }
    }

    private static void assertNothingRemains(Workers workers, int leaver, String text) {
        Map<String, String> remains = new TreeMap<>();
        for (int rank = 0; rank < workers.size(); rank++) {
            Map<String, String> info = workers.get(rank).debugInfo();
            for (String key : REMAINS) {
                if (rank != leaver && !"0".equals(info.get(key))) {
                    remains.put("worker%d %s".formatted(rank, key), info.get(key));
                }
            }
        }
        assertEquals(Map.of(), remains, text);
    }

    @Test
    void anyProgramEndsWithTheRightBitsOrFailsOnAll() {
        for (int i = 0; i < PROGRAMS; i++) {
            String _ = run(seed + i, i % 2 == 0 ? 0.003 : 0.02, 0.02, false);
        }
    }

    @Test
    void repeatedAndReorderedMessagesChangeNothing() {
        List<String> ends = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ends.add(run(seed + i, 0, 0.2, false));
        }
        ends.forEach(end ->
                assertTrue(KINDS.stream().noneMatch(kind -> end.contains(kind.name())), end));
    }

    /** The survivors fail, and make a group without it. */
    @Test
    void aWorkerThatStopsFailsItsGroup() {
        for (int i = 0; i < PROGRAMS / 2; i++) {
            String end = run(seed + i, 0, 0.02, true);
            assertTrue(end.contains("CONNECTION") && !end.contains("TIMEOUT"), end);
        }
    }

    @Test
    void aSeedRepeatsItsRun() {
        assertEquals(run(seed, 0.02, 0.02, false), run(seed, 0.02, 0.02, false));
    }
}
