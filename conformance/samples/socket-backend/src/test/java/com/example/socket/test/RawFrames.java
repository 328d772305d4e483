package com.example.socket.test;

import org.gradwire.spi.ElementKind;
import org.gradwire.spi.MessageTypes;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** Generates valid and malformed frames. */
final class RawFrames {
    private static final int[] ODD_NUMBERS = {0, 1, -1, 7, 8, 255, 65_536, 1 << 20, 1 << 30};
    private static final int REQUEST = 1;
    private static final int REPLY = 2;
    private static final int REFUSAL = 3;
    private static final int HEARTBEAT = 4;

    private RawFrames() {}

    /** {@return the frames of a dialer: mostly requests} */
    static byte[] fromDialer(Random random) throws IOException {
        return switch (random.nextInt(8)) {
            case 0 -> new byte[] {HEARTBEAT};
            case 1 -> reply(random.nextLong(100), random);
            default -> message(REQUEST, random.nextLong(100), MessageTypes.UDF_CALL, random);
        };
    }

    /** {@return a listener's answer to a request: mostly a reply} */
    static byte[] fromListener(long id, Random random) throws IOException {
        return switch (random.nextInt(8)) {
            case 0 -> new byte[] {HEARTBEAT};
            case 1 -> refusal(id);
            case 2 -> message(REQUEST, id, MessageTypes.UDF_CALL, random);
            default -> reply(id, random);
        };
    }

    private static byte[] reply(long id, Random random) throws IOException {
        return message(REPLY, id, MessageTypes.UDF_RET, random);
    }

    private static byte[] refusal(long id) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeByte(REFUSAL);
        out.writeLong(id);
        out.writeInt(0);
        out.writeUTF("no");
        return bytes.toByteArray();
    }

    private static byte[] message(int kind, long id, int type, Random random) throws IOException {
        byte[] payload = new byte[random.nextInt(50)];
        int buffers = random.nextInt(3);
        int size = 8 * random.nextInt(20);
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeByte(kind);
        out.writeLong(id);
        out.writeInt(type);
        out.writeInt(payload.length);
        out.writeInt(buffers);
        for (int i = 0; i < buffers; i++) {
            out.writeByte(ElementKind.values()[random.nextInt(ElementKind.values().length)].code());
            out.writeLong(size);
        }
        out.write(payload);
        out.write(new byte[buffers * size]);
        return bytes.toByteArray();
    }

    /** Flip bits, change a number, truncate or extend; one in four stays valid. */
    static byte[] mutated(byte[] sound, Random random) {
        byte[] frame = sound;
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(frame.length);
            switch (random.nextInt(4)) {
                case 0 -> frame[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> putNumber(frame, at, random);
                case 2 -> frame = Arrays.copyOf(frame, 1 + random.nextInt(2 * frame.length));
                default -> frame[at] = (byte) random.nextInt();
            }
        }
        return frame;
    }

    private static void putNumber(byte[] frame, int at, Random random) {
        if (at + Integer.BYTES <= frame.length) {
            ByteBuffer.wrap(frame).putInt(at, ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)]);
        }
    }
}
