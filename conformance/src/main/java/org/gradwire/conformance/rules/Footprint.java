package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.check;

import org.gradwire.conformance.harness.ResourceCounts;

import java.lang.ref.Reference;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether the process holds more after each round of some work; what is not counted is not seen.
 */
final class Footprint {
    private static final int LEAST_ROUNDS = 5; // which tell a leak from what is made only once
    private static final int MOST_ROUNDS = 12;

    private Footprint() {}

    /**
     * Run rounds of the same work until one leaves nothing behind. What has grown in each round may
     * go away some time later: in as long as it takes to notice that a peer is lost, and as the
     * rounds took, which is long where others use the machine.
     *
     * @param things that each round makes and ends in the same way
     * @throws AssertionError when each round leaves something more
     */
    static void checkFlat(AgentWorld world, Runnable round, int things, String what) {
        long start = System.nanoTime();
        long deadline = start + world.patienceMillis() * 1_000_000;
        round.run(); // caches and pools are filled
        ResourceCounts first = first(world);
        ResourceCounts last = first;
        Set<String> growing = Set.of();
        for (int i = 1; i <= MOST_ROUNDS; i++) {
            round.run();
            ResourceCounts next = now(world);
            Set<String> grown = new TreeSet<>(next.growthSince(last, things).keySet());
            if (i > 1) {
                grown.retainAll(growing);
            }
            if (grown.isEmpty()) {
                return;
            }
            growing = grown;
            last = next;
            if (i >= LEAST_ROUNDS && !ResourceCounts.TEXTS.containsAll(growing)) {
                checkGoesAway(world, first, growing, things * i, what, System.nanoTime() - start);
                return;
            }
            if (i >= LEAST_ROUNDS && System.nanoTime() > deadline) {
                return; // of a slow backend texts alone say nothing
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
                    "each time that %s, the process holds more, in all by %s",
                    what,
                    left);
        }
    }

    /** Count with the names of the resources, which all counts share, as a part of what is held. */
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
