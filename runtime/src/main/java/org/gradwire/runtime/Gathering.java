package org.gradwire.runtime;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * All-gather over any set of workers, in two phases: the one whose name comes first leads; the
 * others send it their values, and it sends all values back. Each use of a set of names has a
 * sequence number of its own.
 */
final class Gathering {
    private final Members members;
    private final WorkerThreads threads;
    private final CallSender sender;
    private final Map<String, Integer> uses =
            new HashMap<>(); // by the names, guarded by this, as are the rounds
    private final Map<String, Round> rounds = new HashMap<>();
    private @Nullable RpcException stopped;

    /**
     * The values of one round so far. Made by whoever hears of it first: this worker's call, or a
     * message.
     */
    private final class Round {
        private final String sequence;
        private final Map<String, @Nullable Object> values =
                new LinkedHashMap<>(); // guarded by the gathering
        private final CallFuture<Map<String, @Nullable Object>> complete = threads.newFuture();
        private Set<String> expected = Set.of();

        Round(String sequence) {
            this.sequence = sequence;
        }
    }

    Gathering(Members members, WorkerThreads threads, CallSender sender) {
        this.members = members;
        this.threads = threads;
        this.sender = sender;
    }

    /**
     * Exchange values.
     *
     * @param timeout null: each message has the call timeout, waiting has no end; zero: neither
     *     has; other: both do
     */
    Map<String, @Nullable Object> gather(
            @Nullable Object value,
            Set<String> names,
            @Nullable Duration timeout,
            Duration rpcTimeout) {
        var all =
                new TreeSet<>(
                        names.isEmpty()
                                ? members.all().stream().map(WorkerInfo::name).toList()
                                : names);
        all.forEach(members::byName);
        String self = members.self().name();
        if (!all.contains(self)) {
            throw new IllegalArgumentException(
                    "%s gathers over %s, of which it is none; name it too".formatted(self, all));
        }
        Duration messageTimeout = timeout == null ? rpcTimeout : timeout;
        Duration waitTimeout = timeout == null ? Duration.ZERO : timeout;
        Round round = begin(all);
        try {
            return self.equals(all.first())
                    ? lead(round, value, messageTimeout, waitTimeout)
                    : follow(round, all.first(), value, messageTimeout, waitTimeout);
        } finally {
            synchronized (this) {
                rounds.remove(round.sequence);
            }
        }
    }

    private Round begin(Set<String> names) {
        Round round;
        synchronized (this) {
            if (stopped != null) {
                throw stopped;
            }
            String joined = String.join(",", names);
            int use = uses.merge(joined, 1, Integer::sum);
            round = round(joined + "#" + use);
            round.expected = names;
            completeIfFull(round);
        }
        members.lost()
                .forEach((id, reason) -> {
                    if (names.contains(members.byId(id).name())) {
                        round.complete.tryFail(reason);
                    }
                });
        return round;
    }

    private Round round(String sequence) {
        return rounds.computeIfAbsent(sequence, Round::new);
    }

    private void completeIfFull(Round round) {
        if (!round.expected.isEmpty() && round.values.keySet().containsAll(round.expected)) {
            round.complete.tryComplete(new LinkedHashMap<>(round.values));
        }
    }

    private Map<String, @Nullable Object> lead(
            Round round, @Nullable Object value, Duration messageTimeout, Duration waitTimeout) {
        long start = System.nanoTime();
        synchronized (this) {
            round.values.put(members.self().name(), value);
            completeIfFull(round);
        }
        Map<String, @Nullable Object> values;
        try {
            values = await(round, waitTimeout);
        } catch (RpcTimeoutException e) {
            throw followersFailed(missing(round), start, e);
        }
        broadcast(round, values, messageTimeout, start);
        return values;
    }

    private synchronized List<String> missing(Round round) {
        return round.expected.stream().filter(name -> !round.values.containsKey(name)).toList();
    }

    private void broadcast(
            Round round, Map<String, @Nullable Object> values, Duration timeout, long start) {
        Map<String, CallFuture<Input>> acknowledgements = new LinkedHashMap<>();
        for (String name : round.expected) {
            if (!name.equals(members.self().name())) {
                acknowledgements.put(
                        name,
                        sender.request(
                                members.byName(name).id(),
                                MessageTypes.BROADCAST_REQ,
                                out -> {
                                    out.writeString(round.sequence);
                                    out.writeValue(values);
                                },
                                timeout));
            }
        }
        List<String> failed = new ArrayList<>();
        RuntimeException first = null;
        for (Map.Entry<String, CallFuture<Input>> entry : acknowledgements.entrySet()) {
            try {
                entry.getValue().join();
            } catch (RuntimeException e) {
                failed.add(entry.getKey());
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw followersFailed(failed, start, first);
        }
    }

    private static RpcException followersFailed(
            List<String> names, long start, RuntimeException first) {
        String text =
                "Followers %s timed out in _all_gather after %.2f seconds. The first exception is %s"
                        .formatted(names, (System.nanoTime() - start) / 1e9, first.getMessage());
        return first instanceof RpcTimeoutException
                ? new RpcTimeoutException(text)
                : new RpcException(
                        first instanceof RpcException e ? e.kind() : RpcErrorKind.UNKNOWN,
                        text,
                        first);
    }

    private Map<String, @Nullable Object> follow(
            Round round,
            String leader,
            @Nullable Object value,
            Duration messageTimeout,
            Duration waitTimeout) {
        long start = System.nanoTime();
        sender.request(
                        members.byName(leader).id(),
                        MessageTypes.GATHER_REQ,
                        out -> {
                            out.writeString(round.sequence);
                            out.writeString(members.self().name());
                            out.writeValue(value);
                        },
                        messageTimeout)
                .join();
        try {
            return await(round, waitTimeout);
        } catch (RpcTimeoutException e) {
            throw followersFailed(List.of(members.self().name()), start, e);
        }
    }

    private static Map<String, @Nullable Object> await(Round round, Duration timeout) {
        return timeout.isZero() ? round.complete.join() : round.complete.join(timeout);
    }

    /** A worker is lost: rounds that wait for it fail. */
    void onPeerLost(WorkerInfo peer, RpcException reason) {
        List<Round> affected;
        synchronized (this) {
            affected =
                    rounds.values().stream()
                            .filter(round -> round.expected.contains(peer.name()))
                            .toList();
        }
        affected.forEach(round -> round.complete.tryFail(reason));
    }

    /** This worker stops: whoever waits for a round here learns it. */
    void stop() {
        var reason = new RpcException(RpcErrorKind.SHUTDOWN, "this worker was shut down");
        List<Round> waiting;
        synchronized (this) {
            stopped = reason;
            waiting = List.copyOf(rounds.values());
        }
        waiting.forEach(round -> round.complete.tryFail(reason));
    }

    /** {@return how many rounds this worker keeps something of} */
    synchronized int open() {
        return rounds.size();
    }

    List<RequestHandler> handlers() {
        return List.of(
                new Handler(MessageTypes.GATHER_REQ), new Handler(MessageTypes.BROADCAST_REQ));
    }

    private void onGather(Input in) {
        String sequence = in.readString();
        String name = in.readString();
        Object value = in.readValue();
        synchronized (this) {
            Round round = round(sequence);
            if (round.values.containsKey(name)) {
                throw new IllegalStateException(
                        "%s reported intent sequence id %s twice. ".formatted(name, sequence));
            }
            if (!round.expected.isEmpty() && !round.expected.contains(name)) {
                throw new IllegalStateException("%s is not expected by leader.".formatted(name));
            }
            round.values.put(name, value);
            completeIfFull(round);
        }
    }

    @SuppressWarnings("unchecked") // written by broadcast
    private void onBroadcast(Input in) {
        String sequence = in.readString();
        var values = (Map<String, @Nullable Object>) in.readValue();
        Round round;
        synchronized (this) {
            round = rounds.get(sequence);
        }
        if (round == null) {
            throw new IllegalStateException(
                    "this worker does not wait for sequence id %s any more".formatted(sequence));
        }
        if (values == null || !round.complete.tryComplete(values)) {
            throw new IllegalStateException(
                    "Termination signal sequence id %s got set twice.".formatted(sequence));
        }
    }

    private final class Handler implements RequestHandler {
        private final int type;

        Handler(int type) {
            this.type = type;
        }

        @Override
        public int requestType() {
            return type;
        }

        /** The values are the users'. */
        @Override
        public boolean light() {
            return false;
        }

        @Override
        public void handle(IncomingRequest request) {
            if (type == MessageTypes.GATHER_REQ) {
                onGather(request.body());
            } else {
                onBroadcast(request.body());
            }
            request.reply(MessageTypes.GATHER_ACK, _ -> {});
        }
    }
}
