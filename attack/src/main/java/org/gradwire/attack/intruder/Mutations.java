package org.gradwire.attack.intruder;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Mutates valid bytes and messages. */
final class Mutations {
    private static final int[] ODD_NUMBERS = {
        0, 1, -1, 7, 255, 65_536, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE
    };
    private static final int MOST_CHANGES = 4;
    private static final int MOST_GROWTH = 16;

    private final RandomGenerator random;

    Mutations(RandomGenerator random) {
        this.random = random;
    }

    /** Change some bytes, numbers or the length. */
    byte[] of(byte[] valid) {
        byte[] bytes = valid.clone();
        for (int i = random.nextInt(MOST_CHANGES); i >= 0; i--) {
            bytes =
                    switch (random.nextInt(8)) {
                        case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + MOST_GROWTH));
                        case 1, 2 -> withOddNumber(bytes);
                        case 3 -> withRepeatedPart(bytes);
                        default -> withOtherByte(bytes);
                    };
        }
        return bytes;
    }

    /** Change payload, buffers, or now and then the type. */
    Message of(Message valid) {
        Message message = valid.copy(BufferAllocator.plain());
        List<MemorySegment> buffers = new ArrayList<>(message.buffers());
        if (random.nextInt(8) == 0) {
            changeBuffers(buffers);
        }
        int type =
                random.nextInt(16) == 0
                        ? MessageTypes.SCRIPT_CALL + random.nextInt(256)
                        : message.type();
        return new Message(type, of(message.payload()), buffers);
    }

    private byte[] withOtherByte(byte[] bytes) {
        if (bytes.length > 0) {
            int at = random.nextInt(bytes.length);
            boolean isAny = random.nextBoolean();
            bytes[at] = (byte) (isAny ? random.nextInt() : bytes[at] ^ 1 << random.nextInt(8));
        }
        return bytes;
    }

    private byte[] withOddNumber(byte[] bytes) {
        if (bytes.length >= Integer.BYTES) {
            ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            int at = random.nextInt(bytes.length - Integer.BYTES + 1);
            int number = ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)];
            ByteBuffer.wrap(bytes).order(order).putInt(at, number);
        }
        return bytes;
    }

    private byte[] withRepeatedPart(byte[] bytes) {
        if (bytes.length > 1) {
            int from = random.nextInt(bytes.length - 1);
            int length = Math.min(random.nextInt(64) + 1, bytes.length - from);
            int to = random.nextInt(bytes.length - length + 1);
            System.arraycopy(bytes, from, bytes, to, length);
        }
        return bytes;
    }

    private void changeBuffers(List<MemorySegment> buffers) {
        if (buffers.isEmpty()) {
            buffers.add(MemorySegment.ofArray(new double[random.nextInt(4)]));
            return;
        }
        int at = random.nextInt(buffers.size());
        switch (random.nextInt(3)) {
            case 0 -> {
                var _ = buffers.remove(at);
            }
            case 1 -> buffers.add(at, buffers.get(at));
            default -> {
                long bytes = random.nextLong(buffers.get(at).byteSize() + 1);
                byte[] part = buffers.get(at).asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
                buffers.set(at, MemorySegment.ofArray(part));
            }
        }
    }
}
