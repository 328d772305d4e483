package org.gradwire.conformance.test;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Injects errors into valid messages. Confined to one thread. */
final class Mutations {
    private static final int[] ODD_NUMBERS = {0, 1, -1, 7, 255, 65_536, 1 << 30, Integer.MIN_VALUE};

    private final Random random;

    Mutations(Random random) {
        this.random = random;
    }

    /** Make up to four changes to bytes, numbers, lengths or buffers. */
    Message of(Message sound) {
        Message message = sound.copy(BufferAllocator.plain());
        byte[] payload = message.payload();
        List<MemorySegment> buffers = new ArrayList<>(message.buffers());
        for (int i = random.nextInt(4); i >= 0; i--) {
            switch (random.nextInt(8)) {
                case 0 -> payload = Arrays.copyOf(payload, random.nextInt(payload.length + 8));
                case 1 -> payload = withOddNumber(payload);
                case 2 -> changeBuffers(buffers);
                default -> changeByte(payload);
            }
        }
        return new Message(message.type(), payload, buffers);
    }

    private void changeByte(byte[] payload) {
        if (payload.length > 0) {
            int at = random.nextInt(payload.length);
            payload[at] =
                    (byte)
                            (random.nextBoolean()
                                    ? random.nextInt()
                                    : payload[at] ^ 1 << random.nextInt(8));
        }
    }

    private byte[] withOddNumber(byte[] payload) {
        if (payload.length >= Integer.BYTES) {
            ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            int at = random.nextInt(payload.length - Integer.BYTES + 1);
            int number = ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)];
            ByteBuffer.wrap(payload).order(order).putInt(at, number);
        }
        return payload;
    }

    /** Drop, duplicate, truncate or add a buffer. */
    private void changeBuffers(List<MemorySegment> buffers) {
        if (buffers.isEmpty()) {
            buffers.add(MemorySegment.ofArray(new double[random.nextInt(4)]));
            return;
        }
        int at = random.nextInt(buffers.size());
        switch (random.nextInt(3)) {
            case 0 -> buffers.remove(at);
            case 1 -> buffers.add(at, buffers.get(at));
            default -> {
                long bytes = random.nextLong(buffers.get(at).byteSize() + 1);
                buffers.set(
                        at,
                        MemorySegment.ofArray(
                                buffers.get(at).asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE)));
            }
        }
    }
}
