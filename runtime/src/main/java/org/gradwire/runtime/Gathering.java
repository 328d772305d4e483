package org.gradwire.runtime;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.GatherRounds.Round;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.RequestHandler;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * All-gather over any set of workers, in two phases: the one whose name comes first leads; the
 * others send it their values, and it sends all values back.
 *
 * <p>A worker that leaves says so to all. Rounds that it owes its part fail then on every member,
 * rather than to wait for what cannot come: a program that throws and closes its worker must not
 * leave the others in a barrier for ever.
 */
final class Gathering {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.groups");
    private static final int LONG_SEQUENCE = 4_096; // characters
    private static final long MOST_UNTOLD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Members members;
    private final CallSender sender;
    private final GatherRounds rounds;
    private final Consumer<String> leavers;

    /** Followers that are being told why a round failed. */
    private final Set<CallFuture<Input>> untold = ConcurrentHashMap.newKeySet();

    /**
     * Create the gathering of a worker.
     *
     * @param leavers is told the names of workers that are going to leave
     */
    Gathering(Members members, WorkerThreads threads, CallSender sender, Consumer<String> leavers) {
        this.leavers = leavers;
        this.members = members;
        this.sender = sender;
        this.rounds = new GatherRounds(members.self().name(), threads::newFuture);
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
        var all = new TreeSet<>(names.isEmpty() ? everyone() : names);
        all.forEach(members::byName);
        String self = members.self().name();
        if (!all.contains(self)) {
            throw new IllegalArgumentException(
                    "%s gathers over %s, of which it is none; name it too".formatted(self, all));
        }
        return take(rounds.begin(all, false), value, timeout, rpcTimeout);
    }

    /** Tell all workers that this one leaves, and wait until all do. */
    void leave(Duration timeout) {
        var all = new TreeSet<>(everyone());
        sayLeaving(timeout);
        take(rounds.begin(all, true), null, timeout, timeout);
    }

    /** Tell all workers that this one leaves, and wait until they know. */
    void announceLeaving(Duration timeout) {
        for (CallFuture<Input> acknowledgement : sayLeaving(timeout)) {
            try {
                acknowledgement.join();
            } catch (RpcException e) {
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        "a worker did not hear that this one leaves: {0}",
                        e.getMessage());
            }
        }
    }

    private List<CallFuture<Input>> sayLeaving(Duration timeout) {
        awaitUntold(timeout);
        return members.all().stream() // not looked up again by name: others may leave now, too
                .filter(peer -> !peer.equals(members.self()))
                .filter(peer -> !members.lost().containsKey(peer.id()))
                .map(peer -> sender.request(peer.id(), MessageTypes.LEAVE_REQ, _ -> {}, timeout))
                .toList();
    }

    /** A worker has joined the group. */
    void onJoined(WorkerInfo worker) {
        rounds.joined(worker.name());
    }

    private List<String> everyone() {
        return members.all().stream().map(WorkerInfo::name).toList();
    }

    private Stream<WorkerInfo> others(Set<String> names) {
        return names.stream()
                .filter(name -> !name.equals(members.self().name()))
                .map(members::byName);
    }

    private Map<String, @Nullable Object> take(
            Round round, @Nullable Object value, @Nullable Duration timeout, Duration rpcTimeout) {
        members.lost()
                .forEach((id, reason) -> rounds.lost(round, members.everKnown(id).name(), reason));
        Duration messageTimeout = timeout == null ? rpcTimeout : timeout;
        Duration waitTimeout = timeout == null ? Duration.ZERO : timeout;
        try {
            return members.self().name().equals(round.leader())
                    ? lead(round, value, messageTimeout, waitTimeout)
                    : follow(round, value, messageTimeout, waitTimeout);
        } finally {
            rounds.end(round);
        }
    }

    private Map<String, @Nullable Object> lead(
            Round round, @Nullable Object value, Duration messageTimeout, Duration waitTimeout) {
        rounds.give(round, members.self().name(), value);
        Map<String, @Nullable Object> values;
        try {
            values = await(round, waitTimeout);
        } catch (RpcException e) {
            RpcException failure =
                    e instanceof RpcTimeoutException
                            ? followersFailed(rounds.missing(round), waitTimeout, e)
                            : e;
            rounds.failed(round, failure);
            tellFailure(round, messageTimeout, failure);
            throw failure;
        }
        awaitFollowers(
                tellFollowers(round, messageTimeout, out -> writeValues(out, values)),
                messageTimeout);
        return values;
    }

    private void tellFailure(Round round, Duration timeout, RpcException failure) {
        tellFollowers(round, timeout, out -> writeFailure(out, failure))
                .values()
                .forEach(acknowledgement -> {
                    untold.add(acknowledgement);
                    acknowledgement.whenEnded((_, _) -> untold.remove(acknowledgement));
                });
    }

    /** Followers must not hear that this worker leaves before they hear why a round failed. */
    private void awaitUntold(Duration timeout) {
        long most = timeout.isZero() ? MOST_UNTOLD_NANOS : timeout.toNanos();
        long deadline = System.nanoTime() + Math.min(most, MOST_UNTOLD_NANOS);
        for (CallFuture<Input> acknowledgement : untold) {
            try {
                long left = Math.max(1, deadline - System.nanoTime());
                acknowledgement.join(Duration.ofNanos(left));
            } catch (RpcException e) {
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        "a follower did not hear why a round failed: {0}",
                        e.getMessage());
            }
        }
    }

    private static void writeValues(Output out, Map<String, @Nullable Object> values) {
        out.writeBoolean(true);
        out.writeValue(values);
    }

    private static void writeFailure(Output out, RpcException failure) {
        out.writeBoolean(false);
        out.writeInt(failure.kind().code());
        out.writeString(String.valueOf(failure.getMessage()));
    }

    private Map<String, CallFuture<Input>> tellFollowers(
            Round round, Duration timeout, Consumer<Output> outcome) {
        Map<String, CallFuture<Input>> acknowledgements = new LinkedHashMap<>();
        Consumer<Output> body =
                out -> {
                    out.writeString(round.sequence());
                    outcome.accept(out);
                };
        try (MessageFactory.ToAll message = sender.toAll(MessageTypes.BROADCAST_REQ, body)) {
            others(round.expected())
                    .forEach(peer ->
                            acknowledgements.put(
                                    peer.name(),
                                    sender.request(peer.id(), message.to(peer.id()), timeout)));
        }
        return acknowledgements;
    }

    private static void awaitFollowers(
            Map<String, CallFuture<Input>> acknowledgements, Duration timeout) {
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
            throw followersFailed(failed, timeout, first);
        }
    }

    /**
     * Return what the leader of a round throws.
     *
     * @param timeout that passed, if the first failure is a timeout
     */
    private static RpcException followersFailed(
            List<String> names, Duration timeout, RuntimeException first) {
        String reason = "The first exception is " + first.getMessage();
        return first instanceof RpcTimeoutException
                ? new RpcTimeoutException(
                        "Followers %s timed out in _all_gather after %.2f seconds. %s"
                                .formatted(names, timeout.toNanos() / 1e9, reason))
                : new RpcException(
                        first instanceof RpcException e ? e.kind() : RpcErrorKind.UNKNOWN,
                        "Followers %s failed in _all_gather. %s".formatted(names, reason),
                        first);
    }

    private Map<String, @Nullable Object> follow(
            Round round, @Nullable Object value, Duration messageTimeout, Duration waitTimeout) {
        if (!round.complete().isDone()) {
            sender.request(
                            members.byName(round.leader()).id(),
                            MessageTypes.GATHER_REQ,
                            out -> {
                                out.writeString(round.sequence());
                                out.writeValue(value);
                            },
                            messageTimeout)
                    .join();
        }
        try {
            return await(round, waitTimeout);
        } catch (RpcTimeoutException e) {
            if (round.complete().isDone()) {
                return round.complete().value(); // the leader has said how it ended
            }
            throw followersFailed(List.of(members.self().name()), waitTimeout, e);
        }
    }

    private static Map<String, @Nullable Object> await(Round round, Duration timeout) {
        return timeout.isZero() ? round.complete().join() : round.complete().join(timeout);
    }

    /** A worker is lost: rounds that wait for it fail. */
    void onPeerLost(WorkerInfo peer, RpcException reason) {
        rounds.lost(peer.name(), reason);
    }

    /** This worker stops: whoever waits for a round here learns it. */
    void stop() {
        rounds.stop(new RpcException(RpcErrorKind.SHUTDOWN, "this worker was shut down"));
    }

    /** {@return how many rounds this worker keeps something of} */
    int open() {
        return rounds.open();
    }

    List<RequestHandler> handlers() {
        return List.of(
                new Handler(MessageTypes.GATHER_REQ, this::onGather),
                new Handler(MessageTypes.BROADCAST_REQ, this::onBroadcast),
                new Handler(MessageTypes.LEAVE_REQ, this::onLeaving));
    }

    /** {@return the name of the worker whose session a request came in} */
    private String name(IncomingRequest request) {
        return members.everKnown(request.from()).name();
    }

    private void onLeaving(IncomingRequest request) {
        String name = name(request);
        rounds.left(name);
        leavers.accept(name);
    }

    private void onGather(IncomingRequest request) {
        Input in = request.body();
        String sequence = readSequence(in);
        Object value = in.readValue();
        Runnable noMoreKept = request.keepCounting();
        boolean isKept = false;
        try {
            rounds.give(sequence, name(request), value, noMoreKept);
            isKept = true;
        } finally {
            if (!isKept) {
                noMoreKept.run();
            }
        }
    }

    /** A sequence id is kept until its round is over: none is longer than one of all workers. */
    private String readSequence(Input in) {
        String sequence = in.readString();
        if (sequence.length() > LONG_SEQUENCE) {
            int most = members.met().stream().mapToInt(worker -> worker.name().length() + 1).sum();
            if (sequence.length() > LONG_SEQUENCE + most) {
                throw new DecodingException(
                        "a sequence id of %d characters is longer than one of all workers"
                                .formatted(sequence.length()));
            }
        }
        return sequence;
    }

    @SuppressWarnings("unchecked") // the keys are compared with names
    private void onBroadcast(IncomingRequest request) {
        Input in = request.body();
        String sequence = readSequence(in);
        if (in.readBoolean()) {
            if (!(in.readValue() instanceof Map<?, ?> values)) {
                throw new DecodingException(
                        "the outcome of a round is no map from names to values");
            }
            rounds.complete(sequence, name(request), (Map<String, @Nullable Object>) values);
        } else {
            RpcErrorKind kind = RpcErrorKind.ofCode(in.readInt());
            rounds.fail(sequence, name(request), FailureCodec.ofKind(kind, in.readString()));
        }
    }

    private record Handler(int requestType, Consumer<IncomingRequest> action)
            implements RequestHandler {

        /** The values are the users'. */
        @Override
        public boolean light() {
            return false;
        }

        @Override
        public void handle(IncomingRequest request) {
            action.accept(request);
            request.reply(MessageTypes.GATHER_ACK, _ -> {});
        }
    }
}
