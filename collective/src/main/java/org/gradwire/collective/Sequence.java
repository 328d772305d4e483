package org.gradwire.collective;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcPromise;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Operations that members match by the order of their calls: the collective operations of a group,
 * or the messages from one member to another. Holds those in progress, and those that peers have
 * begun before this worker. Guarded by its group, except the window.
 */
final class Sequence {
    /** Limit of operations that a peer begins before this worker does. */
    static final int MAX_AHEAD = 512;

    private static final int REMEMBERED = 512; // a power of two

    private final Members members;
    private final @Nullable Pair pair; // null: all members
    private final SendWindow window = new SendWindow();
    private final Map<Long, Round> rounds = new HashMap<>();
    private final @Nullable Signature[] recent = new @Nullable Signature[REMEMBERED]; // by number
    private long begun; // number of the last operation that this worker has begun

    /** The sender and the receiver of messages, by rank. */
    private record Pair(int from, int to) {}

    private Sequence(Members members, @Nullable Pair pair) {
        this.members = members;
        this.pair = pair;
    }

    /** {@return the collective operations of a group} */
    static Sequence ofAll(Members members) {
        return new Sequence(members, null);
    }

    /** {@return the messages from one rank to another} */
    static Sequence ofPair(Members members, int from, int to) {
        return new Sequence(members, new Pair(from, to));
    }

    /** {@return the parts in flight and the running operations; thread-safe} */
    SendWindow window() {
        return window;
    }

    /** {@return the number of operations that this worker has begun} */
    long begun() {
        return begun;
    }

    /** {@return the operations in progress, or begun by peers} */
    Collection<Round> rounds() {
        return rounds.values();
    }

    /** Begin the next operation on this worker. */
    Round begin(Signature signature) {
        begun++;
        Round round = rounds.computeIfAbsent(begun, this::newRound);
        round.begin(signature);
        recent[index(begun)] = signature;
        return round;
    }

    private Round newRound(long number) {
        return new Round(this, members, number);
    }

    private static int index(long number) {
        return (int) number & (REMEMBERED - 1);
    }

    /** End an operation: its parts are dropped. */
    void end(Round round) {
        rounds.remove(round.number());
    }

    /**
     * {@return this worker's operation with a number, if it is recent; null if it has not begun}
     */
    @Nullable Signature signatureOf(long number) {
        Round round = rounds.get(number);
        if (round != null) {
            return round.isBegun() ? round.signature() : null;
        }
        return number <= begun && number > begun - REMEMBERED ? recent[index(number)] : null;
    }

    /**
     * Add a part that arrived. One that arrived before, or whose operation has ended here, is
     * dropped: a network may repeat messages.
     *
     * @param rank of its sender
     * @return the promise of the thread that waited for it as the last one
     * @throws RpcException if the sender must not send it
     */
    @Nullable RpcPromise<Boolean> add(Part part, int rank) {
        long number = part.number();
        Round round = rounds.get(number);
        if (round == null && number <= begun) {
            return null;
        }
        if (number > begun + MAX_AHEAD) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "%s is %d %s ahead of %s in the group %s; it has to wait for one of them"
                            .formatted(
                                    members.name(rank),
                                    number - begun,
                                    pair == null ? "operations" : "messages",
                                    members.self(),
                                    members.identity().name()));
        }
        if (round == null) {
            round = newRound(number);
            rounds.put(number, round);
        }
        return round.add(part, rank);
    }

    /** {@return the text for an operation in messages} */
    String text(long number, Signature signature) {
        String group = members.identity().name();
        return pair == null
                ? "operation %d of the group %s, %s".formatted(number, group, signature)
                : "message %d from %s to %s in the group %s%s"
                        .formatted(
                                number,
                                members.name(pair.from),
                                members.name(pair.to),
                                group,
                                signature.atSite());
    }
}
