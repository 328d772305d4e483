package org.gradwire.attack.intruder;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.random.RandomGenerator;

/**
 * Sends garbage to every TCP port of the victim, with and without a valid prefix: of the store, of
 * the ports for large buffers, of netty's handshake, and of a TLS record.
 */
final class TcpPortFuzzer implements Attacker {
    private static final int TIME_TO_CONNECT_MILLIS = 2_000;
    private static final int MOST_BYTES = 256;
    private static final byte[][] BEGINNINGS = {
        {},
        {'G', 'W', 'S', 'T', 1},
        {'G', 'W', 'S', 'T', 4},
        {'G', 'W', 'B', 'U', 'L', 'K', 0, 0},
        {'G', 'W', 'N', 'E', 'T', 'T', 'Y', 0, 2, 0, 0, 0},
        {22, 3, 1, 0, 120, 1, 0, 0, 116, 3, 3}
    };

    @Override
    public void attack(Target target, RandomGenerator random, InputCounter inputCounter)
            throws IOException {
        while (!inputCounter.isOver()) {
            int port = target.tcpPorts().get(random.nextInt(target.tcpPorts().size()));
            show(new InetSocketAddress(target.host(), port), random, inputCounter);
        }
    }

    private static void show(
            InetSocketAddress address, RandomGenerator random, InputCounter inputCounter) {
        inputCounter.sent();
        try (var socket = new Socket()) {
            socket.connect(address, TIME_TO_CONNECT_MILLIS);
            inputCounter.connected();
            byte[] rubbish = new byte[random.nextInt(MOST_BYTES)];
            random.nextBytes(rubbish);
            socket.getOutputStream().write(BEGINNINGS[random.nextInt(BEGINNINGS.length)]);
            socket.getOutputStream().write(rubbish);
        } catch (IOException _) {
            inputCounter.refused();
        }
    }
}
