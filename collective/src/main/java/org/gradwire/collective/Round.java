package org.gradwire.collective;

import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.spi.Input;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One operation of a group on this worker: the parts that have arrived so far. A part of a peer
 * that is ahead makes a round before this worker begins it. Guarded by its group.
 */
final class Round {
    private final Sequence sequence;
    private final long group;
    private final long number;
    private final @Nullable Part[][] parts;
    private final List<Part> repeated = new ArrayList<>(); // before this worker begins
    private @Nullable Signature signature; // null until this worker begins the round
    private @Nullable RpcPromise<Boolean> waiter;
    private int awaitedStep;
    private BitSet awaited = new BitSet(); // ranks

    private final List<RpcFuture<Input>> sent = new ArrayList<>(); // confined to the operation
    private boolean lends; // as well

    Round(Sequence sequence, Members members, long number) {
        this.sequence = sequence;
        this.group = members.digest();
        this.number = number;
        this.parts = new @Nullable Part[Part.STEPS][members.size()];
    }

    Sequence sequence() {
        return sequence;
    }

    long group() {
        return group;
    }

    long number() {
        return number;
    }

    boolean isBegun() {
        return signature != null;
    }

    /** {@return the operation of this worker} */
    Signature signature() {
        Signature own = signature;
        if (own == null) {
            throw new IllegalStateException("the round has not begun");
        }
        return own;
    }

    /** {@return the text for this operation in messages} */
    String text() {
        return sequence.text(number, signature());
    }

    /** Begin the round on this worker. */
    void begin(Signature own) {
        signature = own;
    }

    /** {@return the messages that have arrived} */
    List<Part> arrived() {
        List<Part> arrived = new ArrayList<>(repeated);
        for (@Nullable Part[] step : parts) {
            for (Part part : step) {
                if (part != null) {
                    arrived.add(part);
                }
            }
        }
        return arrived;
    }

    void sent(RpcFuture<Input> acknowledgement) {
        sent.add(acknowledgement);
    }

    /** Note that a part is sent from memory of the program. */
    void lend() {
        lends = true;
    }

    /** Wait until parts that are sent from memory of the program are received. */
    void awaitReceived() {
        if (lends) {
            sent.forEach(RpcFuture::join);
        }
    }

    /**
     * Add a part, unless it has arrived; return the promise of the thread that waited for it as the
     * last one.
     */
    @Nullable RpcPromise<Boolean> add(Part part, int rank) {
        if (parts[part.step()][rank] != null) {
            if (!isBegun()) {
                repeated.add(part);
            }
            return null;
        }
        parts[part.step()][rank] = part;
        if (waiter == null || part.step() != awaitedStep) {
            return null;
        }
        awaited.clear(rank);
        return awaited.isEmpty() ? waiter : null;
    }

    /** {@return the ranks among some whose parts of a step are missing} */
    BitSet missing(int step, BitSet from) {
        BitSet missing = new BitSet();
        for (int rank = from.nextSetBit(0); rank >= 0; rank = from.nextSetBit(rank + 1)) {
            if (parts[step][rank] == null) {
                missing.set(rank);
            }
        }
        return missing;
    }

    /** Complete a promise when the missing parts of a step have arrived. */
    void await(int step, BitSet missing, RpcPromise<Boolean> promise) {
        awaitedStep = step;
        awaited = missing;
        waiter = promise;
    }

    @Nullable RpcPromise<Boolean> waiter() {
        return waiter;
    }

    /** {@return the ranks whose parts the waiting thread lacks} */
    BitSet awaited() {
        return (BitSet) awaited.clone();
    }

    /** {@return the tensors of a step, by rank; none where none came} */
    List<List<Tensor>> tensors(int step) {
        List<List<Tensor>> tensors = new ArrayList<>();
        for (@Nullable Part part : parts[step]) {
            tensors.add(part == null ? List.of() : part.tensors());
        }
        return tensors;
    }
}
