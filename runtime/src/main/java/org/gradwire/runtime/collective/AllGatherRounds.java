package org.gradwire.runtime.collective;

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
import java.util.function.ToLongFunction;

/**
 * The rounds of all-gather of this worker, by sequence id: the names in order, and a number that
 * counts the rounds of these names. Thread-safe.
 */
final class AllGatherRounds {
    private static final int REMEMBERED = 1_000;

    /** Limit of rounds that a peer begins before this worker does. */
    static final int MAX_EARLY = 64;

    private final String self;
    private final ToLongFunction<Set<String>> places;
    private final Supplier<CallFuture<Map<String, @Nullable Object>>> newFuture;
    private final Map<String, Integer> uses = new HashMap<>();
    private final Map<String, Round> rounds = new HashMap<>();
    private final Map<String, RpcException> failures =
            new LinkedHashMap<>() { // of rounds led here, for late followers
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, RpcException> eldest) {
                    return size() > REMEMBERED;
                }
            };
    private final Set<String> leaving =
            new LinkedHashSet<>(); // in the order of their announcements
    private @Nullable RpcException stopped;

    /** The values of one round so far. Begun by this worker or by a message of a peer. */
    static final class Round {
        private final RoundName name;
        private final String sequence;
        private final CallFuture<Map<String, @Nullable Object>> complete;
        private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
        private final Map<String, Runnable> kept =
                new HashMap<>(); // stops counting a value against its sender
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

    /**
     * Create the rounds of a worker.
     *
     * @param places returns the place where the last of the members with some names joined; 0 in a
     *     static group
     */
    AllGatherRounds(
            String self,
            ToLongFunction<Set<String>> places,
            Supplier<CallFuture<Map<String, @Nullable Object>>> newFuture) {
        this.self = self;
        this.places = places;
        this.newFuture = newFuture;
    }

    /**
     * Begin the next round of these sorted names on this worker.
     *
     * @param farewell whether the round is part of an orderly shutdown; such rounds are numbered
     *     apart
     */
    synchronized Round begin(SortedSet<String> names, boolean farewell) {
        if (stopped != null) {
            throw stopped;
        }
        long place = places.applyAsLong(names);
        String series = new RoundName(names, farewell, place, 1).series();
        int number = uses.merge(series, 1, Integer::sum);
        Round round = round(new RoundName(names, farewell, place, number));
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

    /** Fail a round that this worker leads. */
    synchronized void failed(Round round, RpcException reason) {
        failures.put(round.sequence, reason);
    }

    synchronized List<String> missing(Round round) {
        return round.expected().stream().filter(name -> !round.values.containsKey(name)).toList();
    }

    /** Add a value to a round that this worker leads. */
    synchronized void give(Round round, String name, @Nullable Object value) {
        round.values.put(name, value);
        completeIfFull(round);
    }

    /**
     * Add a follower's value, possibly before this worker begins the round.
     *
     * @param name of the follower, as authenticated by the backend
     * @param release runs when the value is dropped
     */
    synchronized void give(String sequence, String name, @Nullable Object value, Runnable release) {
        Round round = rounds.get(sequence);
        if (round == null) {
            round = early(RoundName.parse(sequence), name);
        }
        if (round.values.containsKey(name)) {
            throw new IllegalStateException(
                    "%s sent a second value for the all-gather %s".formatted(name, sequence));
        }
        if (!round.expected().contains(name)) {
            throw new IllegalStateException(
                    "%s is not expected by leader. Only members of an all-gather send values."
                            .formatted(name));
        }
        round.kept.put(name, release);
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
        if (early >= MAX_EARLY) {
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
     * Fail a round on the message of a worker; it may have failed here already.
     *
     * @param sender its name, as authenticated by the backend
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

    static RuntimeException endedAlready(String sequence) {
        return new IllegalStateException("the all-gather %s has ended already".formatted(sequence));
    }

    /**
     * Complete a round with the values from its leader.
     *
     * @param sender its name, as authenticated by the backend
     */
    void complete(String sequence, String sender, Map<String, @Nullable Object> values) {
        Round round = waiting(sequence);
        requireLeader(round, sender);
        if (!values.keySet().equals(round.expected())) {
            throw new DecodingException(
                    "the values of %s are those of other workers".formatted(sequence));
        }
        if (!round.complete.tryComplete(values)) {
            throw endedAlready(sequence);
        }
    }

    private synchronized Round waiting(String sequence) {
        Round round = rounds.get(sequence);
        if (round == null || !round.begun) {
            throw isOver(RoundName.parse(sequence)) ? endedAlready(sequence) : tooLate(sequence);
        }
        return round;
    }

    private RuntimeException tooLate(String sequence) {
        RpcException failure = failures.get(sequence);
        return failure != null
                ? failure
                : new IllegalStateException(
                        "%s does not take part in the all-gather %s now".formatted(self, sequence));
    }

    /** Fail a round: a member was lost before it began. */
    void lost(Round round, String name, RpcException reason) {
        if (round.expected().contains(name)) {
            round.complete.tryFail(reason);
        }
    }

    /** Fail the rounds that wait for a lost worker. */
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

    /**
     * Drop the values of a peer for rounds that this worker has not begun, and rounds without
     * values.
     */
    private void dropEarly(String name) {
        rounds.values()
                .removeIf(round -> !round.begun && drop(round, name) && round.values.isEmpty());
    }

    private static boolean drop(Round round, String name) {
        Runnable release = round.kept.remove(name);
        if (release != null) {
            release.run();
        }
        return round.values.keySet().remove(name);
    }

    /**
     * Fail the rounds that a leaving worker cannot have completed. Followers wait for the leader,
     * which may have the worker's value already.
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

    /**
     * Forget the rounds with earlier processes of a worker that joins. Members learn of it at
     * different moments, so values for rounds with the new process may have arrived already.
     */
    synchronized void joined(String name) {
        leaving.remove(name);
        uses.keySet().removeIf(series -> isPast(RoundName.parse(series + "#1")));
        failures.keySet().removeIf(sequence -> isPast(RoundName.parse(sequence)));
        for (Round round : List.copyOf(rounds.values())) {
            if (!round.begun && isPast(round.name)) {
                end(round);
            }
        }
    }

    /** {@return whether a member of a round joined after it} */
    private boolean isPast(RoundName round) {
        return round.place() < places.applyAsLong(round.members());
    }

    /** Fail all rounds: this worker stops. */
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

    /** {@return whether a round has begun and ended here} */
    private boolean isOver(RoundName round) {
        return isPast(round) || round.number() <= uses.getOrDefault(round.series(), 0);
    }

    private static void completeIfFull(Round round) {
        if (round.begun && round.values.keySet().containsAll(round.expected())) {
            round.complete.tryComplete(new LinkedHashMap<>(round.values));
        }
    }
}
