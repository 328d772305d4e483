package org.gradwire.backend.faulty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.gradwire.backend.faulty.FakeAgent.Sent;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Changes of one byte, in a copy of the message. */
class CorruptingAgentTest {
    private static final int TYPE = MessageTypes.UDF_CALL;
    private static final byte[] PAYLOAD = {1, 2, 3};
    private static final float[] FLOATS = {4, 5};
    private static final byte[] BYTES = {6, 7, 8};

    private final FakeAgent fake = new FakeAgent();
    private final List<Message> replies = new ArrayList<>();
    private final ReplyHandler handler =
            new ReplyHandler() {
                @Override
                public void onReply(Message reply) {
                    replies.add(reply);
                }

                @Override
                public void onFailure(RuntimeException failure) {
                    throw failure;
                }
            };

    private CorruptingAgent corrupting(Fault fault, int seed) {
        Map<Fault, ValuesByMessageType<Double>> shares =
                Map.of(fault, ValuesByMessageType.of(Map.of(TYPE, 1.0)));
        return new CorruptingAgent(
                fake,
                new FaultPlan(
                        0,
                        ValuesByMessageType.none(),
                        ValuesByMessageType.none(),
                        shares,
                        List.of(),
                        seed),
                0);
    }

    private static Message message(Runnable released) {
        return new Message(
                TYPE,
                PAYLOAD.clone(),
                List.of(
                        MemorySegment.ofArray(FLOATS.clone()),
                        MemorySegment.ofArray(new byte[0]),
                        MemorySegment.ofArray(BYTES.clone())),
                released);
    }

    private static byte[] bytes(Message message) {
        var all = new ByteArrayOutputStream();
        all.writeBytes(message.payload());
        message.buffers().forEach(buffer -> all.writeBytes(buffer.toArray(ValueLayout.JAVA_BYTE)));
        return all.toByteArray();
    }

    private static int differences(Message one, Message other) {
        byte[] left = bytes(one);
        byte[] right = bytes(other);
        assertEquals(left.length, right.length);
        int differences = 0;
        for (int i = 0; i < left.length; i++) {
            differences += left[i] == right[i] ? 0 : 1;
        }
        return differences;
    }

    @Test
    void oneByteOfARequestIsChangedInACopy() {
        for (int seed = 0; seed < 200; seed++) {
            var released = new AtomicInteger();
            Message request = message(released::incrementAndGet);
            corrupting(Fault.CORRUPT_REQUEST, seed).send(1, request, 0, handler);
            Sent sent = fake.sent.poll();
            assertNotNull(sent);
            assertEquals(1, differences(request, sent.request()), "seed " + seed);
            assertArrayEquals(bytes(message(() -> {})), bytes(request));
            assertEquals(1, released.get());
        }
    }

    @Test
    void oneByteOfAReplyIsChanged() {
        CorruptingAgent agent = corrupting(Fault.CORRUPT_REPLY, 3);
        Message request = message(() -> {});
        agent.send(1, request, 0, handler);
        Sent sent = fake.sent.poll();
        assertNotNull(sent);
        assertEquals(0, differences(request, sent.request()));
        sent.handler().onReply(message(() -> {}));
        assertEquals(1, differences(request, replies.getFirst()));
        assertEquals("1", agent.debugInfo().get("faulty.corrupted_messages"));
    }

    @Test
    void sameSeedChangesTheSameByte() {
        for (int i = 0; i < 2; i++) {
            corrupting(Fault.CORRUPT_REQUEST, 5).send(1, message(() -> {}), 0, handler);
        }
        Sent first = fake.sent.poll();
        Sent second = fake.sent.poll();
        assertNotNull(first);
        assertNotNull(second);
        assertArrayEquals(bytes(first.request()), bytes(second.request()));
    }

    @Test
    void emptyMessageStaysUnchanged() {
        var empty = new Message(TYPE, new byte[0], List.of());
        corrupting(Fault.CORRUPT_REQUEST, 1).send(1, empty, 0, handler);
        Sent sent = fake.sent.poll();
        assertNotNull(sent);
        assertEquals(0, sent.request().byteSize());
    }
}
