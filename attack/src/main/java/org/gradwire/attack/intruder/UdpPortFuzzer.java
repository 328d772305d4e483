package org.gradwire.attack.intruder;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Sends datagrams to the UDP ports of the victim: garbage, Aeron frames of odd lengths and types,
 * setup frames for large term buffers, and data frames for guessed sessions.
 */
final class UdpPortFuzzer implements Attacker {
    private static final int SETUP = 5;
    private static final int TYPES = 8;
    private static final int MOST_BYTES = 1_400;
    private static final int SETUP_BYTES = 40;
    private static final int LEAST_HEADER = 24;
    private static final int BATCH = 64;
    private static final long PAUSE_NANOS = 200_000;

    @Override
    public void attack(Target target, RandomGenerator random, InputCounter inputCounter)
            throws IOException {
        if (target.udpPorts().isEmpty()) {
            return; // nothing to attack; the report shows no inputs
        }
        InetAddress host = InetAddress.getByName(target.host());
        try (var socket = new DatagramSocket()) {
            inputCounter.connected();
            while (!inputCounter.isOver()) {
                for (int i = 0; i < BATCH; i++) {
                    int port = target.udpPorts().get(random.nextInt(target.udpPorts().size()));
                    byte[] bytes = datagram(random);
                    socket.send(new DatagramPacket(bytes, bytes.length, host, port));
                    inputCounter.sent();
                }
                LockSupport.parkNanos(PAUSE_NANOS); // without a pause the kernel drops them
            }
        }
    }

    private static byte[] datagram(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> rubbish(random, 1 + random.nextInt(MOST_BYTES));
            case 1 -> setup(random);
            default -> frame(random);
        };
    }

    private static byte[] rubbish(RandomGenerator random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Create an Aeron frame with a valid header, except for its random fields. */
    private static byte[] frame(RandomGenerator random) {
        byte[] bytes = rubbish(random, LEAST_HEADER + random.nextInt(MOST_BYTES - LEAST_HEADER));
        header(bytes, random.nextInt(TYPES), random.nextInt(8) == 0 ? -1 : bytes.length);
        return bytes;
    }

    private static byte[] setup(RandomGenerator random) {
        byte[] bytes = rubbish(random, SETUP_BYTES);
        ByteBuffer frame = header(bytes, SETUP, SETUP_BYTES);
        frame.putInt(8, 0).putInt(24, frame.getInt(20)); // term offset, active term
        frame.putInt(28, 1 << (16 + random.nextInt(15))); // length of a term
        frame.putInt(32, MOST_BYTES + 8).putInt(36, 0); // mtu, ttl
        return bytes;
    }

    private static ByteBuffer header(byte[] bytes, int type, int length) {
        return ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, length)
                .putShort(4, (short) 0xc000)
                .putShort(6, (short) type);
    }
}
