package org.gradwire.runtime;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Supplier;

/**
 * The rounds of all-gather that this worker takes part in, by sequence id: the names in order and
 * how often these names have gathered. Thread-safe.
 */
final class GatherRounds {
    private static final int REMEMBERED = 1_000;

    private final String self;
    private final Supplier<CallFuture<Map<String, @Nullable Object>>> newFuture;
    private final Map<String, Integer> uses = new HashMap<>();
    private final Map<String, Round> rounds = new HashMap<>();
    private final Map<String, RpcException> failures =
            new LinkedHashMap<>() { // of rounds led here, for followers that come late
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, RpcException> eldest) {
                    return size() > REMEMBERED;
                }
            };
    private final Set<String> leaving = new LinkedHashSet<>(); // the first to leave is to blame
    private @Nullable RpcException stopped;

    /**
     * The values of one round so far. Made by whoever hears of it first: this worker, or a peer.
     */
    static final class Round {
        private final String sequence;
        private final CallFuture<Map<String, @Nullable Object>> complete;
        private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
        private Set<String> expected = Set.of();
        private String leader = "";
        private boolean farewell;

        private Round(String sequence, CallFuture<Map<String, @Nullable Object>> complete) {
            this.sequence = sequence;
            this.complete = complete;
        }

        String sequence() {
            return sequence;
        }

        String leader() {
            return leader;
        }

        Set<String> expected() {
            return expected;
        }

        CallFuture<Map<String, @Nullable Object>> complete() {
            return complete;
        }
    }

    GatherRounds(String self, Supplier<CallFuture<Map<String, @Nullable Object>>> newFuture) {
        this.self = self;
        this.newFuture = newFuture;
    }

    /**
     * Begin this worker's part in the next round of these names, which are sorted.
     *
     * @param farewell whether all take part because they leave; a round of its own kind, so that it
     *     meets no other
     */
    synchronized Round begin(SortedSet<String> names, boolean farewell) {
        if (stopped != null) {
            throw stopped;
        }
        String set = (farewell ? "farewell:" : "") + String.join(",", names);
        Round round = round(set + "#" + uses.merge(set, 1, Integer::sum));
        round.expected = names;
        round.leader = names.first();
        round.farewell = farewell;
        leaving.stream()
                .filter(name -> !farewell && names.contains(name))
                .findFirst()
                .ifPresent(name -> round.complete.tryFail(gone(name, round)));
        completeIfFull(round);
        return round;
    }

    synchronized void end(Round round) {
        rounds.remove(round.sequence);
    }

    /** The leader gives a round up. */
    synchronized void failed(Round round, RpcException reason) {
        failures.put(round.sequence, reason);
    }

    synchronized List<String> missing(Round round) {
        return round.expected.stream().filter(name -> !round.values.containsKey(name)).toList();
    }

    /** A member's value has come to the leader. */
    synchronized void give(Round round, String name, @Nullable Object value) {
        round.values.put(name, value);
        completeIfFull(round);
    }

    /** A follower's value has come to the leader, perhaps before the leader itself. */
    synchronized void give(String sequence, String name, @Nullable Object value) {
        if (isOver(sequence)) {
            throw tooLate(sequence);
        }
        Round round = round(sequence);
        if (round.values.containsKey(name)) {
            throw new IllegalStateException(
                    "%s reported intent sequence id %s twice. ".formatted(name, sequence));
        }
        if (!round.expected.isEmpty() && !round.expected.contains(name)) {
            throw new IllegalStateException("%s is not expected by leader.".formatted(name));
        }
        give(round, name, value);
    }

    /** The leader says that a round failed, which this worker may have noticed by itself. */
    void fail(String sequence, RpcException reason) {
        Round round;
        synchronized (this) {
            round = rounds.get(sequence);
        }
        if (round != null) {
            round.complete.tryFail(reason);
        }
    }

    static RuntimeException setTwice(String sequence) {
        return new IllegalStateException(
                "Termination signal sequence id %s got set twice.".formatted(sequence));
    }

    /** Return the round that the leader has values for. */
    synchronized Round waiting(String sequence) {
        Round round = rounds.get(sequence);
        if (round == null) {
            throw isOver(sequence) ? setTwice(sequence) : tooLate(sequence);
        }
        return round;
    }

    private RuntimeException tooLate(String sequence) {
        RpcException failure = failures.get(sequence);
        return failure != null
                ? failure
                : new IllegalStateException(
                        "%s does not wait for sequence id %s any more".formatted(self, sequence));
    }

    /** A worker was lost before this round. */
    void lost(Round round, String name, RpcException reason) {
        if (round.expected.contains(name)) {
            round.complete.tryFail(reason);
        }
    }

    /** A worker is lost: rounds that wait for it fail. */
    void lost(String name, RpcException reason) {
        List<Round> affected;
        synchronized (this) {
            affected =
                    rounds.values().stream()
                            .filter(round -> round.expected.contains(name))
                            .toList();
        }
        affected.forEach(round -> round.complete.tryFail(reason));
    }

    /**
     * A worker leaves: rounds that it cannot have completed fail. Its value may be with the leader
     * already, so followers leave it to the leader to say.
     */
    void left(String name) {
        List<Round> affected = new ArrayList<>();
        synchronized (this) {
            leaving.add(name);
            for (Round round : rounds.values()) {
                boolean owes =
                        round.leader.equals(self)
                                && round.expected.contains(name)
                                && !round.values.containsKey(name);
                if (!round.farewell && (owes || round.leader.equals(name))) {
                    affected.add(round);
                }
            }
        }
        affected.forEach(round -> round.complete.tryFail(gone(name, round)));
    }

    /** A worker has come, which counts from the beginning: so do all whose rounds it is in. */
    synchronized void joined(String name) {
        leaving.remove(name);
        uses.keySet().removeIf(set -> List.of(set.split(",", -1)).contains(name));
        failures.keySet().removeIf(sequence -> names(sequence).contains(name));
    }

    private static List<String> names(String sequence) {
        return List.of(sequence.substring(0, sequence.lastIndexOf('#')).split(",", -1));
    }

    /** This worker stops: no round completes here any more. */
    void stop(RpcException reason) {
        List<Round> waiting;
        synchronized (this) {
            stopped = reason;
            waiting = List.copyOf(rounds.values());
        }
        waiting.forEach(round -> round.complete.tryFail(reason));
    }

    synchronized int open() {
        return rounds.size();
    }

    private static RpcException gone(String name, Round round) {
        return new RpcException(
                RpcErrorKind.SHUTDOWN,
                ("%s is leaving the group, so %s cannot complete; all of them have to take part before"
                                + " one of them closes")
                        .formatted(name, round.sequence));
    }

    private Round round(String sequence) {
        return rounds.computeIfAbsent(sequence, _ -> new Round(sequence, newFuture.get()));
    }

    private boolean isOver(String sequence) {
        int end = sequence.lastIndexOf('#');
        String set = sequence.substring(0, Math.max(end, 0));
        return !rounds.containsKey(sequence)
                && Integer.parseInt(sequence.substring(end + 1)) <= uses.getOrDefault(set, 0);
    }

    private static void completeIfFull(Round round) {
        if (!round.expected.isEmpty() && round.values.keySet().containsAll(round.expected)) {
            round.complete.tryComplete(new LinkedHashMap<>(round.values));
        }
    }
}
