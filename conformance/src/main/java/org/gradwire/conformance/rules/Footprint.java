package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.check;

import org.gradwire.conformance.harness.ResourceCounts;

import java.lang.ref.Reference;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks that the resources of the process do not grow with each round of some work; resources
 * without a count are ignored.
 */
final class Footprint {
    private static final int LEAST_ROUNDS =
            5; // which distinguishes a leak from a one-time allocation
    private static final int MOST_ROUNDS = 12;

    /** More than one, since what an earlier round has left may end late, and hide a leak. */
    private static final int FLAT_ROUNDS = 2;

    private Footprint() {}

    /**
     * Run rounds of the same work until two in sequence leave nothing behind. Growth in each of
     * five rounds in sequence is a leak, unless it disappears within the time to detect a lost peer
     * plus the duration of the rounds, which is long on a busy machine.
     *
     * @param things number of things that each round creates and ends in the same way
     * @throws AssertionError if each of these rounds leaves something
     */
    static void checkFlat(AgentWorld world, Runnable round, int things, String what) {
        long start = System.nanoTime();
        long deadline = start + world.patienceMillis() * 1_000_000;
        round.run(); // fills caches and pools
        ResourceCounts first = first(world);
        ResourceCounts last = first;
        Set<String> growing = Set.of();
        int growths = 0; // in sequence
        int flats = 0; // in sequence
        for (int i = 1; i <= MOST_ROUNDS; i++) {
            round.run();
            ResourceCounts next = now(world);
            Set<String> grown = new TreeSet<>(next.growthSince(last, things).keySet());
            last = next;
            if (growths > 0) {
                grown.retainAll(growing);
            }
            growing = grown;
            growths = grown.isEmpty() ? 0 : growths + 1;
            flats = grown.isEmpty() ? flats + 1 : 0;
            if (flats == FLAT_ROUNDS) {
                return;
            }
            if (growths >= LEAST_ROUNDS && !ResourceCounts.TEXTS.containsAll(growing)) {
                checkGoesAway(world, first, growing, things * i, what, System.nanoTime() - start);
                return;
            }
            if (growths >= LEAST_ROUNDS && System.nanoTime() > deadline) {
                return; // on a slow backend texts alone prove nothing
            }
        }
        checkGoesAway(world, first, growing, things * MOST_ROUNDS, what, System.nanoTime() - start);
    }

    private static void checkGoesAway(
            AgentWorld world,
            ResourceCounts first,
            Set<String> growing,
            int things,
            String what,
            long tookNanos) {
        long liveness = world.backend().livenessTime().toNanos();
        long deadline = System.nanoTime() + Math.max(liveness, tookNanos);
        while (true) {
            Map<String, Long> left = new TreeMap<>(now(world).growthSince(first, things));
            left.keySet().retainAll(growing);
            if (left.isEmpty()) {
                return;
            }
            check(
                    System.nanoTime() < deadline,
                    "each time that %s, the process holds more, in total by %s",
                    what,
                    left);
        }
    }

    /** Count twice, so that the names of the resources, which all counts share, are included. */
    private static ResourceCounts first(AgentWorld world) {
        ResourceCounts named = now(world);
        try {
            return now(world);
        } finally {
            Reference.reachabilityFence(named);
        }
    }

    private static ResourceCounts now(AgentWorld world) {
        return ResourceCounts.ofThisProcess(world.store().size());
    }
}
