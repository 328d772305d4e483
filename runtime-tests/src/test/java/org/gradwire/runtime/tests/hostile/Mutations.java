package org.gradwire.runtime.tests.hostile;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Mutates valid messages. Not thread-safe. */
final class Mutations {
    private Mutations() {}

    /** Change up to three bytes, or the length, or drop a buffer. */
    static Message of(Message valid, Random random) {
        Message message = valid.copy(BufferAllocator.plain());
        byte[] payload = message.payload();
        List<MemorySegment> buffers = new ArrayList<>(message.buffers());
        for (int i = random.nextInt(3); i >= 0; i--) {
            switch (random.nextInt(8)) {
                case 0 -> payload = Arrays.copyOf(payload, random.nextInt(payload.length + 8));
                case 1 -> buffers.removeIf(_ -> random.nextBoolean());
                default -> changeByte(payload, random);
            }
        }
        return new Message(message.type(), payload, buffers);
    }

    private static void changeByte(byte[] payload, Random random) {
        if (payload.length > 0) {
            int at = random.nextInt(payload.length);
            payload[at] =
                    (byte)
                            (random.nextBoolean()
                                    ? random.nextInt()
                                    : payload[at] ^ 1 << random.nextInt(8));
        }
    }
}
