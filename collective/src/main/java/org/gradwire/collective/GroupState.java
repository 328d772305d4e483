package org.gradwire.collective;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A group as one member sees it: its operations in progress, those that peers have begun before
 * this worker, and the reason why it is broken, if it is. Thread-safe; the methods that begin with
 * {@code on} run on pollers.
 */
final class GroupState {
    /** Limit of operations that a peer begins before this worker does. */
    static final int MAX_AHEAD = 512;

    private static final int REMEMBERED = 512; // a power of two

    private final Worker worker;
    private final Members members;
    private final PartSender sender;
    private final Map<Long, Round> rounds = new HashMap<>();
    private final @Nullable Signature[] recent = new @Nullable Signature[REMEMBERED]; // by number
    private final BitSet closed = new BitSet(); // ranks of members that have closed the group
    private long begun; // number of the last operation that this worker has begun
    private @Nullable Failure broken;

    GroupState(Worker worker, Members members, PartSender sender) {
        this.worker = worker;
        this.members = members;
        this.sender = sender;
    }

    Members members() {
        return members;
    }

    /** {@return the reason why no operation can run; null if one can} */
    synchronized @Nullable Failure broken() {
        return broken;
    }

    /** {@return the number of operations that this worker has begun} */
    synchronized long begun() {
        return begun;
    }

    // ---- operations of this worker

    /**
     * Begin the next operation.
     *
     * @throws RpcException if the group is broken, or the members call different operations
     */
    Round begin(Signature signature) {
        Round round;
        List<Part> early;
        synchronized (this) {
            requireWorking();
            begun++;
            round = rounds.computeIfAbsent(begun, this::newRound);
            early = round.arrived();
            round.begin(signature);
            recent[index(begun)] = signature;
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

    private Round newRound(long number) {
        return new Round(members.digest(), number, members.size());
    }

    private static int index(long number) {
        return (int) number & (REMEMBERED - 1);
    }

    private void requireWorking() {
        if (broken != null) {
            throw broken.exception();
        }
    }

    /** Send a part to a member; null if it only says that this worker has begun the operation. */
    void send(Round round, int step, int rank, @Nullable Tensor tensor) {
        round.sent(sender.send(this, round, step, rank, tensor));
    }

    /**
     * Wait for the parts of a step.
     *
     * @param from the ranks that send one
     * @return the tensors by rank
     */
    @Nullable Tensor[] receive(Round round, int step, BitSet from) {
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
        rounds.remove(round.number());
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
            Signature own = reason != null ? null : signatureOf(part.number());
            mismatch =
                    own == null || own.matches(part.signature())
                            ? null
                            : Failures.mismatch(members, own, part);
            acknowledge = own != null || reason != null;
            if (reason == null && mismatch == null) {
                complete = add(part, rank);
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

    /**
     * {@return this worker's operation with a number, if it is recent; null if it has not begun}
     */
    private @Nullable Signature signatureOf(long number) {
        Round round = rounds.get(number);
        if (round != null) {
            return round.isBegun() ? round.signature() : null;
        }
        return number <= begun && number > begun - REMEMBERED ? recent[index(number)] : null;
    }

    private @Nullable RpcPromise<Boolean> add(Part part, int rank) {
        long number = part.number();
        Round round = rounds.get(number);
        if (round == null && number <= begun) {
            if (part.tensor() == null) {
                return null; // it says that a member takes part; the operation has ended here
            }
            throw refused("%s has ended".formatted(members.operation(number, part.signature())));
        }
        if (number > begun + MAX_AHEAD) {
            throw refused(
                    "%s is %d operations ahead of %s in the group %s; it has to wait for one of them"
                            .formatted(
                                    members.name(rank),
                                    number - begun,
                                    members.self(),
                                    members.identity().name()));
        }
        if (round == null) {
            round = newRound(number);
            rounds.put(number, round);
        }
        if (round.has(part.step(), rank)) {
            throw refused("%s sent a part twice".formatted(members.name(rank)));
        }
        return round.add(part, rank);
    }

    private static RpcException refused(String text) {
        return new RpcException(RpcErrorKind.REFUSED, text);
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
            for (Round round : rounds.values()) {
                if (!round.isBegun()) {
                    early.addAll(round.arrived());
                } else if (round.waiter() != null) {
                    waiting.add(round.waiter());
                }
            }
            rounds.clear();
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
            for (Round round : rounds.values()) {
                if (round.waiter() != null && round.awaited().get(rank)) {
                    waiting.add(round.waiter());
                }
            }
        }
        waiting.forEach(promise -> promise.tryFail(failure.exception()));
    }
}
