package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.number;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Sends messages of every small size, of sizes around powers of two and frame limits, and of random
 * sizes. Each batch is sent as requests, then as replies.
 */
final class SizeSweep {
    private static final int EVERY_SIZE_TO = 4_200;
    private static final int HEADERS = 72; // bytes that a backend may add
    private static final int DRAWN = 150;
    private static final int MOST_AT_A_TIME = 64;
    private static final long BYTES_AT_A_TIME = 2 << 20;

    /** Sizes of datagrams and Ethernet frames, and round numbers. */
    private static final List<Integer> LIMITS =
            List.of(8_972, 9_000, 10_000, 60_000, 65_507, 100_000, 1_000_000);

    private final AgentWorld world;
    private final Draw draw = new Draw(new Random(Seed.get()));
    private final byte[] contents;

    private SizeSweep(AgentWorld world) {
        this.world = world;
        contents = draw.bytes(1 << 21);
    }

    static void run(AgentWorld world) {
        var sweep = new SizeSweep(world);
        List<Message> messages = new ArrayList<>();
        for (int size : sweep.sizes()) {
            messages.add(sweep.message(size));
            messages.add(sweep.message(sweep.draw.below(9), size));
        }
        messages.addAll(sweep.ofManyBuffers());
        List<Message> drawn = sweep.drawn();
        messages.addAll(drawn);
        sweep.deliver(0, 1, messages);
        sweep.deliver(0, 0, drawn);
        for (int size : Draw.aroundPowers(64, 1 << 16, 2)) {
            sweep.deliver(0, 0, List.of(sweep.message(size), sweep.message(0, size)));
        }
    }

    private SortedSet<Integer> sizes() {
        var sizes = new TreeSet<Integer>();
        for (int size = 0; size <= EVERY_SIZE_TO; size++) {
            sizes.add(size);
        }
        sizes.addAll(Draw.aroundPowers(1 << 13, 1 << 16, HEADERS));
        sizes.addAll(Draw.aroundPowers(3 << 12, 3 << 16, 2));
        sizes.addAll(Draw.aroundPowers(1 << 17, 1 << 20, 1));
        for (int power = 1 << 17; power <= 1 << 20; power <<= 1) {
            for (int i = 0; i < 4; i++) {
                sizes.add(power - draw.below(HEADERS));
            }
        }
        for (int limit : LIMITS) {
            for (int i = -2; i <= 2; i++) {
                sizes.add(limit + i);
            }
        }
        return sizes.headSet((int) Math.min(1 << 21, world.backend().maxMessageBytes() / 4));
    }

    private List<Message> ofManyBuffers() {
        var counts = new TreeSet<Integer>(Draw.aroundPowers(8, 512, 2));
        for (int count = 0; count <= 40; count++) {
            counts.add(count);
        }
        counts.add(1_000);
        List<Message> messages = new ArrayList<>();
        for (int count : counts) {
            messages.add(
                    new Message(MessageTypes.UDF_CALL, part(draw.below(40)), buffers(count, 70)));
        }
        return messages;
    }

    private List<Message> drawn() {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < DRAWN; i++) {
            int limit = i % 10 == 0 ? 1 << 17 : 1 << 14;
            messages.add(
                    new Message(
                            MessageTypes.UDF_CALL,
                            part(draw.near(limit)),
                            buffers(draw.below(4), limit)));
        }
        return messages;
    }

    private List<MemorySegment> buffers(int count, int limit) {
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            buffers.add(draw.buffer(draw.near(limit)));
        }
        return buffers;
    }

    /** {@return a message with a payload, and with buffers over bytes} */
    private Message message(int payloadBytes, int... bufferBytes) {
        List<MemorySegment> buffers = new ArrayList<>();
        for (int bytes : bufferBytes) {
            buffers.add(MemorySegment.ofArray(part(bytes)));
        }
        return new Message(MessageTypes.UDF_CALL, part(payloadBytes), buffers);
    }

    /** {@return a random part of the contents} */
    private byte[] part(int bytes) {
        int offset = draw.below(contents.length - bytes + 1);
        return Arrays.copyOfRange(contents, offset, offset + bytes);
    }

    private void deliver(int from, int to, List<Message> messages) {
        for (int begin = 0; begin < messages.size(); ) {
            int end = begin;
            for (long bytes = 0; end < messages.size() && bytes < BYTES_AT_A_TIME; end++) {
                bytes += messages.get(end).byteSize();
                if (end - begin == MOST_AT_A_TIME - 1) {
                    end++;
                    break;
                }
            }
            deliverSome(from, to, messages.subList(begin, end));
            begin = end;
        }
    }

    private void deliverSome(int from, int to, List<Message> messages) {
        world.agent(to).behave((_, request, replies) -> replies.reply(reply(digest(request))));
        List<Outcome> outcomes = new ArrayList<>();
        messages.forEach(message -> outcomes.add(world.agent(from).send(to, message, 0)));
        for (int i = 0; i < messages.size(); i++) {
            String what = "a request of %s to worker %d".formatted(sizes(messages.get(i)), to);
            byte[] arrived = answer(world, outcomes.get(i), what).payload();
            check(Arrays.equals(digest(messages.get(i)), arrived), "%s arrived changed", what);
        }
        world.agent(to)
                .behave((_, request, replies) -> {
                    Message next = messages.get(number(request));
                    replies.reply(
                            reply(next.payload(), next.buffers().toArray(MemorySegment[]::new)));
                });
        outcomes.clear();
        for (int i = 0; i < messages.size(); i++) {
            outcomes.add(world.agent(from).send(to, request(i), 0));
        }
        for (int i = 0; i < messages.size(); i++) {
            String what = "a reply of %s from worker %d".formatted(sizes(messages.get(i)), to);
            Message arrived = answer(world, outcomes.get(i), "a request for " + what);
            check(
                    Arrays.equals(digest(messages.get(i)), digest(arrived)),
                    "%s arrived changed",
                    what);
        }
    }

    private static byte[] digest(Message message) {
        ByteBuffer digest = ByteBuffer.allocate(4 * Integer.BYTES);
        digest.putInt(message.payload().length).putInt(Arrays.hashCode(message.payload()));
        int hash = 0;
        for (MemorySegment buffer : message.buffers()) {
            byte[] bytes = buffer.toArray(ValueLayout.JAVA_BYTE);
            hash = 31 * (31 * hash + bytes.length) + Arrays.hashCode(bytes);
        }
        return digest.putInt(message.buffers().size()).putInt(hash).array();
    }

    private static String sizes(Message message) {
        List<Long> buffers = message.buffers().stream().map(MemorySegment::byteSize).toList();
        return "%d bytes and %d buffers of %s"
                .formatted(
                        message.payload().length,
                        buffers.size(),
                        buffers.size() > 8 ? buffers.subList(0, 8) + " and so on" : buffers);
    }
}
