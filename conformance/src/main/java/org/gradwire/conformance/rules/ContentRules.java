package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkEqual;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/** Rules about contents: sizes, slices and types of messages. */
final class ContentRules {
    private static final int SLICES = 120;
    private static final int TYPES = 0x100;
    private static final int REPLY_FLAG = 0x200;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "SIZE-3",
                            "MUST deliver messages of every size and buffer count, also around powers of two and frame limits, as request and as reply, to others and to oneself.",
                            "a limit that is compared by < instead of <=, an empty last frame, a length with too few bits",
                            2,
                            SizeSweep::run),
                    Rule.of(
                            "SEND-10",
                            "MUST deliver a buffer that is a slice of an array or of native memory as that slice.",
                            "the whole array behind a segment, an offset that is omitted or added twice",
                            2,
                            ContentRules::deliversSlices),
                    Rule.of(
                            "SEND-11",
                            "MUST deliver the type of a message unchanged, for requests and replies.",
                            "a type in a byte, a reply type that is derived from the request's",
                            2,
                            ContentRules::deliversTypes));

    private ContentRules() {}

    private static void deliversSlices(AgentWorld world) {
        var draw = new Draw(new Random(Seed.get()));
        for (int to : List.of(1, 0)) {
            var received = new AtomicReference<@Nullable Message>();
            var next = new AtomicReference<@Nullable Message>();
            world.agent(to)
                    .behave((_, request, replies) -> {
                        received.set(TestAgent.copyOf(request));
                        replies.reply(Checks.present(next.get(), "the reply to send"));
                    });
            for (int i = 0; i < SLICES; i++) {
                Message sent = slices(draw, MessageTypes.UDF_CALL, i);
                Message reply = slices(draw, MessageTypes.UDF_RET, i);
                next.set(reply);
                Outcome outcome = world.agent(0).send(to, sent, world.patienceMillis());
                String what = "%s, to worker %d".formatted(offsets(sent), to);
                Message arrived = answer(world, outcome, "a request of slices at " + what);
                checkEqual(sent, received.get(), "request of slices at " + what);
                checkEqual(reply, arrived, "reply of slices at " + offsets(reply));
            }
        }
    }

    /** Create up to three slices, two of which may share memory. */
    private static Message slices(Draw draw, int type, int round) {
        int limit = round % 20 == 0 ? 1 << 18 : 1 << 13;
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = draw.below(3); i >= 0; i--) {
            MemorySegment slice = draw.slice(draw.near(limit));
            buffers.add(slice);
            if (draw.below(4) == 0) {
                buffers.add(slice.asSlice(slice.byteSize() / 16 * 8));
            }
        }
        return new Message(type, draw.bytes(draw.near(200)), buffers);
    }

    private static String offsets(Message message) {
        return message.buffers().stream()
                .map(buffer ->
                        "%s+%d, %d bytes"
                                .formatted(
                                        buffer.heapBase()
                                                .map(base -> base.getClass().getSimpleName())
                                                .orElse("native"),
                                        buffer.heapBase().isPresent() ? buffer.address() : 0,
                                        buffer.byteSize()))
                .toList()
                .toString();
    }

    private static void deliversTypes(AgentWorld world) {
        for (int to : List.of(1, 0)) {
            var arrived = new AtomicReference<@Nullable Integer>();
            world.agent(to)
                    .behave((_, request, replies) -> {
                        arrived.set(request.type());
                        int type = REPLY_FLAG | (request.payload()[0] & 0xFF);
                        replies.reply(new Message(type, new byte[0], List.of()));
                    });
            for (int i = 0; i < TYPES; i++) {
                int type = (request(new byte[0]).type() & ~0xFF) | i;
                int replyType = REPLY_FLAG | (TYPES - 1 - i);
                var sent = new Message(type, new byte[] {(byte) replyType}, List.of());
                Outcome outcome = world.agent(0).send(to, sent, world.patienceMillis());
                String what = "a request of type 0x%x to worker %d".formatted(type, to);
                if (outcome.await(world.patienceMillis()) && isIntended(outcome.failure())) {
                    continue; // a backend that injects failures for some types
                }
                Message reply = answer(world, outcome, what);
                Integer seen = Checks.present(arrived.get(), what);
                check(seen == type, "%s arrived as one of type 0x%x", what, seen);
                check(
                        reply.type() == replyType,
                        "a reply of type 0x%x arrived as one of type 0x%x",
                        replyType,
                        reply.type());
            }
        }
    }

    private static boolean isIntended(@Nullable RuntimeException failure) {
        return failure instanceof RpcException e && e.kind() == RpcErrorKind.INTENTIONAL_FAILURE;
    }
}
