package org.gradwire.runtime.collective;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.runtime.authorization.Authorization;
import org.gradwire.runtime.authorization.Permission;
import org.gradwire.runtime.call.FailureCodec;
import org.gradwire.runtime.member.Members;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Handles the messages of all-gather: values, results, and announcements of leaving workers. */
final class AllGatherHandlers {
    private static final int LONG_SEQUENCE = 4_096; // characters

    private final Members members;
    private final AllGatherRounds rounds;
    private final Authorization authorization;
    private final Consumer<String> leavers;

    AllGatherHandlers(
            Members members,
            AllGatherRounds rounds,
            Authorization authorization,
            Consumer<String> leavers) {
        this.authorization = authorization;
        this.members = members;
        this.rounds = rounds;
        this.leavers = leavers;
    }

    /** {@return the handlers} */
    List<RequestHandler> all() {
        return List.of(
                new Handler(MessageTypes.GATHER_REQ, this::onGather),
                new Handler(MessageTypes.BROADCAST_REQ, this::onBroadcast),
                new Handler(MessageTypes.LEAVE_REQ, this::onLeaving));
    }

    /** {@return the name of the sender, as authenticated by the backend} */
    private String name(IncomingRequest request) {
        return members.byIdIncludingLost(request.from()).name();
    }

    private void onLeaving(IncomingRequest request) {
        String name = name(request);
        rounds.left(name);
        leavers.accept(name);
    }

    private void onGather(IncomingRequest request) {
        Input in = request.body();
        String sequence = readSequence(in);
        Object value = null; // as in all rounds of a shutdown, which need no permission
        if (!RoundName.isFarewell(sequence)) {
            authorization.require(request.from(), Permission.ALL_GATHER);
            value = in.readValue();
        }
        Runnable release = request.keepCounting();
        boolean isKept = false;
        try {
            rounds.give(sequence, name(request), value, release);
            isKept = true;
        } finally {
            if (!isKept) {
                release.run();
            }
        }
    }

    /** Read a sequence id, with a limit on its length: it is kept until its round ends. */
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

    private void onBroadcast(IncomingRequest request) {
        Input in = request.body();
        String sequence = readSequence(in);
        boolean farewell = RoundName.isFarewell(sequence);
        if (!farewell) {
            authorization.require(request.from(), Permission.ALL_GATHER);
        }
        if (in.readBoolean()) {
            rounds.complete(
                    sequence, name(request), farewell ? noValues(sequence) : readValues(in));
        } else {
            RpcErrorKind kind = RpcErrorKind.ofCode(in.readInt());
            rounds.fail(sequence, name(request), FailureCodec.ofKind(kind, in.readString()));
        }
    }

    private static Map<String, @Nullable Object> noValues(String sequence) {
        Map<String, @Nullable Object> values = new HashMap<>();
        RoundName.parse(sequence).members().forEach(member -> values.put(member, null));
        return values;
    }

    @SuppressWarnings("unchecked") // the keys are compared with names
    private static Map<String, @Nullable Object> readValues(Input in) {
        if (!(in.readValue() instanceof Map<?, ?> values)) {
            throw new DecodingException("the outcome of a round is not a map from names to values");
        }
        return (Map<String, @Nullable Object>) values;
    }

    private record Handler(int requestType, Consumer<IncomingRequest> action)
            implements RequestHandler {

        /** {@inheritDoc} False: to decode a user's value may take long. */
        @Override
        public boolean runsOnPoller() {
            return false;
        }

        @Override
        public void handle(IncomingRequest request) {
            action.accept(request);
            request.reply(MessageTypes.GATHER_ACK, _ -> {});
        }
    }
}
