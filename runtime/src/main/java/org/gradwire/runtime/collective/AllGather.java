package org.gradwire.runtime.collective;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.authorization.Authorization;
import org.gradwire.runtime.call.MessageFactory;
import org.gradwire.runtime.call.RequestSender;
import org.gradwire.runtime.collective.AllGatherRounds.Round;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.member.PeerListener;
import org.gradwire.runtime.thread.WorkerThreads;
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
 * All-gather over any set of workers, in two phases: the followers send their values to the leader,
 * whose name comes first; the leader sends all values back.
 *
 * <p>A worker that leaves announces it to all, and the rounds that lack its value fail on every
 * member: a program that throws and closes its worker must not leave the others in a barrier.
 */
public final class AllGather implements PeerListener {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.groups");
    private static final long MAX_REPORT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Members members;
    private final RequestSender requests;
    private final AllGatherRounds rounds;
    private final Authorization authorization;
    private final Consumer<String> leavers;

    /** Pending messages that report the failure of a round to its followers. */
    private final Set<CallFuture<Input>> unreported = ConcurrentHashMap.newKeySet();

    /**
     * Create the all-gather of a worker.
     *
     * @param authorization checks which peers may take part
     * @param leavers receives the names of workers that announce that they leave
     */
    public AllGather(
            Members members,
            WorkerThreads threads,
            RequestSender requests,
            Authorization authorization,
            Consumer<String> leavers) {
        this.authorization = authorization;
        this.leavers = leavers;
        this.members = members;
        this.requests = requests;
        this.rounds = new AllGatherRounds(members.self().name(), this::place, threads::newFuture);
    }

    /**
     * Exchange values.
     *
     * @param timeout of each message and of the wait for all values; zero means none; null means
     *     the default for messages and none for the wait
     */
    public Map<String, @Nullable Object> gather(
            @Nullable Object value,
            Set<String> names,
            @Nullable Duration timeout,
            Duration rpcTimeout) {
        var all = new TreeSet<>(names.isEmpty() ? everyone() : names);
        all.forEach(members::byName);
        String self = members.self().name();
        if (!all.contains(self)) {
            throw new IllegalArgumentException(
                    "%s gathers over %s, but is not among them; add its name".formatted(self, all));
        }
        return run(rounds.begin(all, false), value, timeout, rpcTimeout);
    }

    /** Announce to all workers that this one leaves, and wait until all leave. */
    public void leave(Duration timeout) {
        var all = new TreeSet<>(everyone());
        sendLeave(timeout);
        run(rounds.begin(all, true), null, timeout, timeout);
    }

    /** Announce to all workers that this one leaves, and wait for their replies. */
    public void announceLeaving(Duration timeout) {
        for (CallFuture<Input> acknowledgement : sendLeave(timeout)) {
            try {
                acknowledgement.join();
            } catch (RpcException e) {
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        "a worker could not be notified that this one leaves: {0}",
                        e.getMessage());
            }
        }
    }

    private List<CallFuture<Input>> sendLeave(Duration timeout) {
        awaitReports(timeout);
        return members.all().stream() // not looked up by name again: others may leave meanwhile
                .filter(peer -> !peer.equals(members.self()))
                .filter(peer -> !members.isLost(peer.id()))
                .map(peer -> requests.request(peer.id(), MessageTypes.LEAVE_REQ, _ -> {}, timeout))
                .toList();
    }

    @Override
    public void onPeerJoined(WorkerInfo worker) {
        rounds.joined(worker.name());
    }

    /** {@return the place where the last of the members with some names joined} */
    private long place(Set<String> names) {
        return members.met().stream()
                .filter(member -> names.contains(member.name()))
                .mapToLong(member -> members.place(member.id()))
                .max()
                .orElse(0);
    }

    private List<String> everyone() {
        return members.all().stream().map(WorkerInfo::name).toList();
    }

    private Stream<WorkerInfo> others(Set<String> names) {
        return names.stream()
                .filter(name -> !name.equals(members.self().name()))
                .map(members::byName);
    }

    private Map<String, @Nullable Object> run(
            Round round, @Nullable Object value, @Nullable Duration timeout, Duration rpcTimeout) {
        members.lost()
                .forEach((id, reason) ->
                        rounds.lost(round, members.byIdIncludingLost(id).name(), reason));
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
            sendFailure(round, messageTimeout, failure);
            throw failure;
        }
        awaitFollowers(
                sendOutcome(round, messageTimeout, out -> writeValues(out, values)),
                messageTimeout);
        return values;
    }

    private void sendFailure(Round round, Duration timeout, RpcException failure) {
        sendOutcome(round, timeout, out -> writeFailure(out, failure))
                .values()
                .forEach(acknowledgement -> {
                    unreported.add(acknowledgement);
                    acknowledgement.whenEnded((_, _) -> unreported.remove(acknowledgement));
                });
    }

    /**
     * Wait until followers have received the failure of a round, since the announcement that this
     * worker leaves must not arrive earlier.
     */
    private void awaitReports(Duration timeout) {
        long most = timeout.isZero() ? MAX_REPORT_NANOS : timeout.toNanos();
        long deadline = System.nanoTime() + Math.min(most, MAX_REPORT_NANOS);
        for (CallFuture<Input> acknowledgement : unreported) {
            try {
                long left = Math.max(1, deadline - System.nanoTime());
                acknowledgement.join(Duration.ofNanos(left));
            } catch (RpcException e) {
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        "a follower could not be notified why a round failed: {0}",
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

    private Map<String, CallFuture<Input>> sendOutcome(
            Round round, Duration timeout, Consumer<Output> outcome) {
        Map<String, CallFuture<Input>> acknowledgements = new LinkedHashMap<>();
        Consumer<Output> body =
                out -> {
                    out.writeString(round.sequence());
                    outcome.accept(out);
                };
        try (MessageFactory.ToAll message = requests.toAll(MessageTypes.BROADCAST_REQ, body)) {
            others(round.expected())
                    .forEach(peer ->
                            acknowledgements.put(
                                    peer.name(),
                                    requests.request(peer.id(), message.to(peer.id()), timeout)));
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
     * Return the failure that the leader of a round throws.
     *
     * @param timeout that passed, if the first failure is a timeout
     */
    private static RpcException followersFailed(
            List<String> names, Duration timeout, RuntimeException first) {
        String reason = "The first exception is " + first.getMessage();
        return first instanceof RpcTimeoutException
                ? new RpcTimeoutException(
                        "Followers %s timed out in an all-gather after %.2f seconds. %s"
                                .formatted(names, timeout.toNanos() / 1e9, reason))
                : new RpcException(
                        first instanceof RpcException e ? e.kind() : RpcErrorKind.UNKNOWN,
                        "Followers %s failed in an all-gather. %s".formatted(names, reason),
                        first);
    }

    private Map<String, @Nullable Object> follow(
            Round round, @Nullable Object value, Duration messageTimeout, Duration waitTimeout) {
        if (!round.complete().isDone()) {
            requests.request(
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
                return round.complete().value(); // the leader has sent the outcome
            }
            throw followersFailed(List.of(members.self().name()), waitTimeout, e);
        }
    }

    private static Map<String, @Nullable Object> await(Round round, Duration timeout) {
        return timeout.isZero() ? round.complete().join() : round.complete().join(timeout);
    }

    /** Fail the rounds that wait for the peer. */
    @Override
    public void onPeerLost(WorkerInfo peer, RpcException reason) {
        rounds.lost(peer.name(), reason);
    }

    /** Fail all rounds: this worker stops. */
    public void stop() {
        rounds.stop(new RpcException(RpcErrorKind.SHUTDOWN, "this worker was shut down"));
    }

    /** {@return the number of rounds in progress here} */
    public int open() {
        return rounds.open();
    }

    /** {@return the handlers of the messages of all-gather} */
    public List<RequestHandler> handlers() {
        return new AllGatherHandlers(members, rounds, authorization, leavers).all();
    }
}
