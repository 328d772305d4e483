package org.gradwire.collective;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A group as one member sees it: its sequences of operations, which members have closed it, and the
 * reason why it is broken, if it is. Thread-safe; the methods that begin with {@code on} run on
 * pollers.
 */
final class GroupState {
    private final Worker worker;
    private final Members members;
    private final PartSender sender;
    private final Sequence collective; // these and the rest guarded by this
    private final Map<Integer, Sequence> outgoing = new TreeMap<>(); // by rank
    private final Map<Integer, Sequence> incoming = new TreeMap<>(); // by rank
    private final BitSet closed = new BitSet(); // ranks of members that have closed the group
    private @Nullable Failure broken;

    GroupState(Worker worker, Members members, PartSender sender) {
        this.worker = worker;
        this.members = members;
        this.sender = sender;
        this.collective = Sequence.ofAll(members);
    }

    Members members() {
        return members;
    }

    /** {@return the reason why no operation can run; null if one can} */
    synchronized @Nullable Failure broken() {
        return broken;
    }

    // ---- sequences of operations

    /** {@return the collective operations} */
    Sequence collective() {
        return collective;
    }

    /** {@return the messages to a member} */
    synchronized Sequence outgoing(int rank) {
        return outgoing.computeIfAbsent(rank, to -> Sequence.ofPair(members, members.rank(), to));
    }

    /** {@return the messages from a member} */
    synchronized Sequence incoming(int rank) {
        return incoming.computeIfAbsent(
                rank, from -> Sequence.ofPair(members, from, members.rank()));
    }

    private List<Sequence> sequences() {
        List<Sequence> all = new ArrayList<>(List.of(collective));
        all.addAll(outgoing.values());
        all.addAll(incoming.values());
        return all;
    }

    private List<Round> rounds() {
        return sequences().stream().flatMap(sequence -> sequence.rounds().stream()).toList();
    }

    /** {@return the number of operations of a sequence that this worker has begun} */
    synchronized long begun(Sequence sequence) {
        return sequence.begun();
    }

    /** Wait until the other members have begun the operations that this worker has begun. */
    void awaitAcknowledged() {
        List<Sequence> all;
        synchronized (this) {
            all = sequences();
        }
        all.forEach(sequence -> sequence.window().awaitAcknowledged());
    }

    // ---- operations of this worker

    /**
     * Begin the next operation of a sequence.
     *
     * @throws RpcException if the group is broken, or the members call different operations
     */
    Round begin(Sequence sequence, Signature signature) {
        Round round;
        List<Part> early;
        synchronized (this) {
            requireWorking();
            round = sequence.begin(signature);
            early = round.arrived();
        }
        Failure mismatch = null;
        for (Part part : early) {
            if (!part.signature().matches(signature)) {
                mismatch = Failures.mismatch(members, signature, part);
            }
        }
        Failure reason = mismatch == null ? null : fail(mismatch);
        early.forEach(Part::acknowledge);
        if (reason != null) {
            throw reason.exception();
        }
        return round;
    }

    private void requireWorking() {
        if (broken != null) {
            throw broken.exception();
        }
    }

    /** Check that a member has not closed the group. */
    synchronized void requireOpen(int rank) {
        if (closed.get(rank)) {
            throw Failures.closedBy(members, members.only(rank)).exception();
        }
    }

    /**
     * Send a part to a member.
     *
     * @param tensors none: the part only says that this worker has begun the operation
     */
    void send(Round round, int step, int rank, List<Tensor> tensors) {
        round.sent(sender.send(this, round, step, rank, tensors));
        Failure end = broken();
        if (end != null) { // perhaps since before the part: a successor of the member would keep it
            sender.notify(members.id(rank), members.digest(), end);
        }
    }

    /**
     * Wait for the parts of a step.
     *
     * @param from the ranks that send one
     * @return the tensors by rank; none where none came
     */
    List<List<Tensor>> receive(Round round, int step, BitSet from) {
        RpcPromise<Boolean> promise;
        synchronized (this) {
            BitSet missing = round.missing(step, from);
            if (missing.isEmpty()) {
                return round.tensors(step);
            }
            requireWorking();
            if (missing.intersects(closed)) {
                missing.and(closed);
                throw Failures.closedBy(members, missing).exception();
            }
            promise = worker.rpc().promise();
            round.await(step, missing, promise);
        }
        await(round, promise);
        synchronized (this) {
            return round.tensors(step);
        }
    }

    private void await(Round round, RpcPromise<Boolean> promise) {
        Duration timeout = sender.timeout();
        try {
            var _ = timeout.isZero() ? promise.join() : promise.join(timeout);
        } catch (RpcException e) {
            if (promise.isDone()) { // otherwise the wait has ended, and not the promise
                promise.value();
                return;
            }
            throw fail(unfinished(round, e)).exception();
        }
    }

    private synchronized Failure unfinished(Round round, RpcException end) {
        return Failures.unfinished(members, round, sender.timeout(), end);
    }

    /** End an operation: its parts are dropped. */
    synchronized void end(Round round) {
        round.sequence().end(round);
    }

    // ---- messages

    /**
     * Add a part that arrived.
     *
     * @throws RpcException if the sender is not a member, or must not send it
     */
    void onPart(Part part) {
        int rank = members.rankOf(part.from());
        Failure mismatch;
        RpcPromise<Boolean> complete = null;
        boolean acknowledge;
        Failure reason;
        synchronized (this) {
            reason = broken;
            Sequence sequence = part.isToOne() ? incoming(rank) : collective;
            Signature own = reason != null ? null : sequence.signatureOf(part.number());
            mismatch =
                    own == null || own.matches(part.signature())
                            ? null
                            : Failures.mismatch(members, own, part);
            acknowledge = reason != null || part.number() <= sequence.begun();
            if (reason == null && mismatch == null) {
                complete = sequence.add(part, rank);
            }
        }
        if (reason != null) {
            sender.notify(part.from(), members.digest(), reason); // it may not know
        }
        if (mismatch != null) {
            fail(mismatch);
        }
        if (complete != null) {
            complete.tryComplete(true);
        }
        if (acknowledge) {
            part.acknowledge();
        }
    }

    // ---- the end

    /**
     * Break the group, unless it is broken, and notify the other members.
     *
     * @return the reason why the group is broken
     */
    Failure fail(Failure failure) {
        Failure first = breakHere(failure);
        if (first.equals(failure)) {
            sender.notify(members, failure);
        }
        return first;
    }

    /** Break the group, unless it is broken, without a message to others. */
    Failure breakHere(Failure failure) {
        List<RpcPromise<Boolean>> waiting = new ArrayList<>();
        List<Part> early = new ArrayList<>();
        synchronized (this) {
            if (broken != null) {
                return broken;
            }
            broken = failure;
            for (Round round : rounds()) {
                if (!round.isBegun()) {
                    early.addAll(round.arrived());
                } else if (round.waiter() != null) {
                    waiting.add(round.waiter());
                }
            }
            sequences().forEach(sequence -> sequence.rounds().clear());
        }
        waiting.forEach(promise -> promise.tryFail(failure.exception()));
        early.forEach(Part::acknowledge);
        return failure;
    }

    /** Close the group on this worker, and notify the others. */
    void close() {
        var _ =
                fail(
                        Failure.closed(
                                "the group %s is closed on %s"
                                        .formatted(members.identity().name(), members.self())));
    }

    /** Note that a member has closed the group: operations that need it fail. */
    void onClosed(int rank) {
        List<RpcPromise<Boolean>> waiting = new ArrayList<>();
        Failure failure;
        synchronized (this) {
            closed.set(rank);
            failure = Failures.closedBy(members, closed);
            for (Round round : rounds()) {
                if (round.waiter() != null && round.awaited().get(rank)) {
                    waiting.add(round.waiter());
                }
            }
        }
        waiting.forEach(promise -> promise.tryFail(failure.exception()));
    }
}
