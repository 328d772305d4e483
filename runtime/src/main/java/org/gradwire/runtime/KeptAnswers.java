package org.gradwire.runtime;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.CallBody.Head;
import org.gradwire.runtime.CallBody.Retried;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * The calls of peers that may come more than once, and the answers to them: who asks again gets
 * what there is, and the function runs once.
 *
 * <p>What is kept of a call goes when its caller says that it has ended, or is gone. There is a
 * limit to it, at which the caller with the most gives way; an answer that was dropped for that is
 * missed by a request that comes again, but its function is not run again.
 */
final class KeptAnswers implements RequestHandler {
    /** Ids of calls of a worker begin above those of all that had its id before. */
    static final int INCARNATION_SHIFT = 32;

    private final LongSupplier ownPlace;
    private final IntPredicate lost;
    private final int mostAnswers;
    private final long mostBytes;
    private final Map<Integer, Caller> callers = new HashMap<>(); // all guarded by this
    private int answers;
    private long bytes;

    /** The calls of one peer. */
    private static final class Caller {
        private final TreeMap<Long, KeptAnswer> calls = new TreeMap<>();
        private final SequencedSet<KeptAnswer> answered = new LinkedHashSet<>(); // oldest first
        private final SequencedSet<KeptAnswer> held = new LinkedHashSet<>(); // with a message
        private long bytes;
        private long floor; // of calls below that are not among them nothing is known any more

        private int answers() {
            return answered.size();
        }

        private long bytes() {
            return bytes;
        }
    }

    /**
     * Create an empty table.
     *
     * @param ownPlace where this worker joined its group
     * @param lost whether a peer is
     */
    KeptAnswers(Settings settings, LongSupplier ownPlace, IntPredicate lost) {
        this.ownPlace = ownPlace;
        this.lost = lost;
        mostAnswers = settings.integer(RuntimeSettings.KEPT_ANSWERS, 0, Integer.MAX_VALUE);
        mostBytes = settings.bytes(RuntimeSettings.KEPT_ANSWER_BYTES);
    }

    /**
     * Take in a request.
     *
     * @return whether its call is to be run; otherwise the request is answered, now or with the
     *     call that is under way
     */
    boolean admit(Exchange exchange, Head head) {
        Retried retried = head.retried();
        if (retried == null) {
            return true;
        }
        if (retried.ended() > head.id() || head.id() == Long.MAX_VALUE) {
            exchange.fail(
                    new DecodingException(
                            "call %d says that all below %d have ended"
                                    .formatted(head.id(), retried.ended())));
            return false;
        }
        if (retried.place() != ownPlace.getAsLong()) {
            exchange.refuse(replaced());
            return false;
        }
        return enter(exchange, head.id(), retried.ended());
    }

    private boolean enter(Exchange exchange, long id, long ended) {
        Message answer;
        synchronized (this) {
            Caller caller = caller(exchange.from());
            drop(caller, ended);
            KeptAnswer known = caller.calls.get(id);
            if (known == null && id >= caller.floor && !lost.test(exchange.from())) {
                var call = new KeptAnswer(this, exchange.from(), id);
                caller.calls.put(id, call);
                exchange.answerThrough(call);
                return true;
            }
            if (known != null && known.await(exchange)) {
                return false;
            }
            answer = known == null ? null : known.copy();
        }
        if (answer == null) {
            exchange.refuse(gone(id));
        } else {
            exchange.repeat(answer);
        }
        return false;
    }

    private Caller caller(int peer) {
        return callers.computeIfAbsent(peer, _ -> new Caller());
    }

    private static RpcException replaced() {
        return new RpcException(
                RpcErrorKind.CONNECTION,
                "a call was sent to an earlier worker of this id; it is gone, and whether it has run the function is not known");
    }

    private static RpcException gone(long id) {
        return new RpcException(
                RpcErrorKind.ANSWER_GONE,
                "call %d came again after its answer was dropped; its function may have run, and is not run again. Raise %s or %s if the answer was still wanted"
                        .formatted(
                                id,
                                RuntimeSettings.KEPT_ANSWERS,
                                RuntimeSettings.KEPT_ANSWER_BYTES));
    }

    /**
     * A call has been answered.
     *
     * @param copy to answer repeated requests with; null when there is none
     * @return the requests that came meanwhile
     */
    synchronized List<Exchange> answered(KeptAnswer call, @Nullable Message copy) {
        List<Exchange> waiting = call.end(copy);
        Caller caller = callers.get(call.caller());
        if (caller != null && caller.calls.get(call.id()) == call) {
            caller.answered.add(call);
            answers++;
            if (copy != null) {
                caller.held.add(call);
                count(caller, call.byteSize());
            }
            keepLimits();
        }
        return waiting;
    }

    private void count(Caller caller, long byteSize) {
        caller.bytes += byteSize;
        bytes += byteSize;
    }

    private void keepLimits() {
        while (bytes > mostBytes) {
            Caller caller = withMost(Comparator.comparingLong(Caller::bytes));
            KeptAnswer oldest = caller.held.removeFirst();
            count(caller, -oldest.byteSize());
            oldest.forget();
        }
        while (answers > mostAnswers) {
            Caller caller = withMost(Comparator.comparingInt(Caller::answers));
            KeptAnswer oldest = caller.answered.getFirst();
            remove(caller, oldest);
            caller.calls.remove(oldest.id());
            caller.floor = Math.max(caller.floor, oldest.id() + 1);
        }
    }

    private Caller withMost(Comparator<Caller> order) {
        return Collections.max(callers.values(), order);
    }

    private void remove(Caller caller, KeptAnswer call) {
        if (caller.answered.remove(call)) {
            answers--;
        }
        if (caller.held.remove(call)) {
            count(caller, -call.byteSize());
        }
    }

    private void drop(Caller caller, long ended) {
        if (ended > caller.floor) {
            caller.floor = ended;
            Collection<KeptAnswer> over = caller.calls.headMap(ended).values();
            over.forEach(call -> remove(caller, call));
            over.clear();
        }
    }

    /** A worker is lost, or has left: nothing of its calls is kept, and none is run any more. */
    synchronized void forget(int peer) {
        Caller caller = callers.get(peer);
        if (caller != null) {
            drop(caller, Long.MAX_VALUE);
        }
    }

    /** A worker has come, perhaps with the id of a lost one, whose calls come no more. */
    synchronized void onPeerJoined(int peer) {
        callers.remove(peer);
    }

    boolean fits(Message answer) {
        return mostAnswers > 0 && answer.byteSize() <= mostBytes;
    }

    @Override
    public int requestType() {
        return MessageTypes.CALLS_ENDED_REQ;
    }

    @Override
    public boolean light() {
        return true;
    }

    @Override
    public void handle(IncomingRequest request) {
        long ended = request.body().readLong();
        synchronized (this) {
            drop(caller(request.from()), ended);
        }
        request.reply(MessageTypes.CALLS_ENDED_ACK, _ -> {});
    }

    /** {@return how many answered calls of peers are known, and the bytes of their answers} */
    synchronized Map<String, String> debugInfo() {
        return Map.of(
                "num_kept_answers", Integer.toString(answers),
                "num_kept_answer_bytes", Long.toString(bytes));
    }
}
