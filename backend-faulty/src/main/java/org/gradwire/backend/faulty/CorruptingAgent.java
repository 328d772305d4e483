package org.gradwire.backend.faulty;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** An agent that changes one byte of some requests, and of some replies. */
final class CorruptingAgent extends ForwardingAgent {
    private final FaultPlan plan;
    private final Random random; // guarded by itself
    private final AtomicInteger corrupted = new AtomicInteger();

    CorruptingAgent(RpcAgent agent, FaultPlan plan, int self) {
        super(agent);
        this.plan = plan;
        this.random = plan.random(self, this);
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        int type = request.type();
        Message sent = drawn(Fault.CORRUPT_REQUEST, type) ? corrupted(request) : request;
        boolean corruptsReply = drawn(Fault.CORRUPT_REPLY, type);
        super.send(to, sent, timeoutNanos, corruptsReply ? corrupting(handler) : handler);
    }

    private boolean drawn(Fault fault, int type) {
        double share = plan.share(fault, type);
        if (share == 0) {
            return false;
        }
        synchronized (random) {
            return random.nextDouble() < share;
        }
    }

    private ReplyHandler corrupting(ReplyHandler handler) {
        return new ReplyHandler() {
            @Override
            public void onReply(Message reply) {
                handler.onReply(corrupted(reply));
            }

            @Override
            public void onFailure(RuntimeException failure) {
                handler.onFailure(failure);
            }
        };
    }

    /** Return a copy with one byte changed; the original may be sent again. */
    private Message corrupted(Message message) {
        if (message.byteSize() == 0) {
            return message;
        }
        corrupted.incrementAndGet();
        long place;
        int change;
        synchronized (random) {
            place = random.nextLong(message.byteSize());
            change = 1 + random.nextInt(255);
        }
        byte[] payload = message.payload();
        List<MemorySegment> buffers = new ArrayList<>(message.buffers());
        if (place < payload.length) {
            payload = payload.clone();
            change(MemorySegment.ofArray(payload), place, change);
        } else {
            place -= payload.length;
            int index = 0;
            while (place >= buffers.get(index).byteSize()) {
                place -= buffers.get(index++).byteSize();
            }
            MemorySegment copy = copy(buffers.get(index));
            change(copy, place, change);
            buffers.set(index, copy);
        }
        return new Message(message.type(), payload, buffers, message::release);
    }

    private static MemorySegment copy(MemorySegment buffer) {
        return BufferAllocator.plain()
                .allocate(ElementKind.of(buffer), buffer.byteSize())
                .copyFrom(buffer);
    }

    private static void change(MemorySegment bytes, long place, int change) {
        byte before = bytes.get(ValueLayout.JAVA_BYTE, place);
        bytes.set(ValueLayout.JAVA_BYTE, place, (byte) (before ^ change));
    }

    @Override
    public Map<String, String> debugInfo() {
        Map<String, String> info = new LinkedHashMap<>(super.debugInfo());
        info.put("faulty.corrupted_messages", Integer.toString(corrupted.get()));
        return info;
    }
}
