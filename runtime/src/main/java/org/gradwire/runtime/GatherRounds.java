package org.gradwire.runtime;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.DecodingException;
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

    /** Rounds for which a peer has sent its value and which this worker has not begun. */
    static final int MOST_EARLY = 64;

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
        private final RoundName name;
        private final String sequence;
        private final CallFuture<Map<String, @Nullable Object>> complete;
        private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
        private final Map<String, Runnable> kept = new HashMap<>(); // ends the charge of a value
        private boolean begun; // by this worker

        private Round(
                RoundName name,
                String sequence,
                CallFuture<Map<String, @Nullable Object>> complete) {
            this.name = name;
            this.sequence = sequence;
            this.complete = complete;
        }

        String sequence() {
            return sequence;
        }

        String leader() {
            return name.leader();
        }

        Set<String> expected() {
            return name.members();
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
        int number = uses.merge(RoundName.series(names, farewell), 1, Integer::sum);
        Round round = round(new RoundName(names, farewell, number));
        round.begun = true;
        leaving.stream()
                .filter(name -> !farewell && names.contains(name))
                .findFirst()
                .ifPresent(name -> round.complete.tryFail(gone(name, round)));
        completeIfFull(round);
        return round;
    }

    synchronized void end(Round round) {
        rounds.remove(round.sequence);
        round.kept.values().forEach(Runnable::run);
        round.kept.clear();
    }

    /** The leader gives a round up. */
    synchronized void failed(Round round, RpcException reason) {
        failures.put(round.sequence, reason);
    }

    synchronized List<String> missing(Round round) {
        return round.expected().stream().filter(name -> !round.values.containsKey(name)).toList();
    }

    /** A member's value has come to the leader. */
    synchronized void give(Round round, String name, @Nullable Object value) {
        round.values.put(name, value);
        completeIfFull(round);
    }

    /**
     * A follower's value has come to the leader, perhaps before the leader itself.
     *
     * @param name of the follower, as the backend vouches for it
     * @param noMoreKept run when the value is not kept any more
     */
    synchronized void give(
            String sequence, String name, @Nullable Object value, Runnable noMoreKept) {
        Round round = rounds.get(sequence);
        if (round == null) {
            round = early(RoundName.parse(sequence), name);
        }
        if (round.values.containsKey(name)) {
            throw new IllegalStateException(
                    "%s reported intent sequence id %s twice. ".formatted(name, sequence));
        }
        if (!round.expected().contains(name)) {
            throw new IllegalStateException("%s is not expected by leader.".formatted(name));
        }
        round.kept.put(name, noMoreKept);
        give(round, name, value);
    }

    private Round early(RoundName round, String follower) {
        if (!round.leader().equals(self) || !round.members().contains(follower)) {
            throw refused(follower + " sent a value to " + self + " for a round of others");
        }
        if (isOver(round)) {
            throw tooLate(round.toString());
        }
        long early =
                rounds.values().stream()
                        .filter(known -> !known.begun && known.values.containsKey(follower))
                        .count();
        if (early >= MOST_EARLY) {
            throw refused(
                    "%s is %d rounds of all-gather ahead of %s; it has to wait for one of them"
                            .formatted(follower, early, self));
        }
        return round(round);
    }

    private static RpcException refused(String text) {
        return new RpcException(RpcErrorKind.REFUSED, text);
    }

    /**
     * A worker says that a round failed, which this worker may have noticed by itself.
     *
     * @param sender its name, as the backend vouches for it
     */
    void fail(String sequence, String sender, RpcException reason) {
        Round round;
        synchronized (this) {
            round = rounds.get(sequence);
        }
        if (round != null) {
            requireLeader(round, sender);
            round.complete.tryFail(reason);
        }
    }

    private static void requireLeader(Round round, String sender) {
        if (!round.leader().equals(sender)) {
            throw refused(
                    "%s does not lead a round that it ended; %s does"
                            .formatted(sender, round.leader()));
        }
    }

    static RuntimeException setTwice(String sequence) {
        return new IllegalStateException(
                "Termination signal sequence id %s got set twice.".formatted(sequence));
    }

    /**
     * The leader has the values of a round.
     *
     * @param sender its name, as the backend vouches for it
     */
    void complete(String sequence, String sender, Map<String, @Nullable Object> values) {
        Round round = waiting(sequence);
        requireLeader(round, sender);
        if (!values.keySet().equals(round.expected())) {
            throw new DecodingException(
                    "the values of %s are those of other workers".formatted(sequence));
        }
        if (!round.complete.tryComplete(values)) {
            throw setTwice(sequence);
        }
    }

    private synchronized Round waiting(String sequence) {
        Round round = rounds.get(sequence);
        if (round == null || !round.begun) {
            throw isOver(RoundName.parse(sequence)) ? setTwice(sequence) : tooLate(sequence);
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
        if (round.expected().contains(name)) {
            round.complete.tryFail(reason);
        }
    }

    /** A worker is lost: rounds that wait for it fail. */
    void lost(String name, RpcException reason) {
        List<Round> affected;
        synchronized (this) {
            dropEarly(name);
            affected =
                    rounds.values().stream()
                            .filter(round -> round.begun && round.expected().contains(name))
                            .toList();
        }
        affected.forEach(round -> round.complete.tryFail(reason));
    }

    /** A round that this worker has not begun is kept for the values that came for it. */
    private void dropEarly(String name) {
        rounds.values()
                .removeIf(round -> !round.begun && drop(round, name) && round.values.isEmpty());
    }

    private static boolean drop(Round round, String name) {
        Runnable noMoreKept = round.kept.remove(name);
        if (noMoreKept != null) {
            noMoreKept.run();
        }
        return round.values.keySet().remove(name);
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
                        round.leader().equals(self)
                                && round.expected().contains(name)
                                && !round.values.containsKey(name);
                if (round.begun
                        && !round.name.farewell()
                        && (owes || round.leader().equals(name))) {
                    affected.add(round);
                }
            }
        }
        affected.forEach(round -> round.complete.tryFail(gone(name, round)));
    }

    /** A worker has come, which counts from the beginning: so do all whose rounds it is in. */
    synchronized void joined(String name) {
        leaving.remove(name);
        uses.keySet().removeIf(series -> RoundName.parse(series + "#1").members().contains(name));
        failures.keySet().removeIf(sequence -> RoundName.parse(sequence).members().contains(name));
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

    private Round round(RoundName name) {
        return rounds.computeIfAbsent(
                name.toString(), sequence -> new Round(name, sequence, newFuture.get()));
    }

    /** {@return whether this worker has begun a round that it does not know any more} */
    private boolean isOver(RoundName round) {
        return round.number() <= uses.getOrDefault(round.series(), 0);
    }

    private static void completeIfFull(Round round) {
        if (round.begun && round.values.keySet().containsAll(round.expected())) {
            round.complete.tryComplete(new LinkedHashMap<>(round.values));
        }
    }
}
