package org.gradwire.attack.intruder;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.random.RandomGenerator;

/** Shows rubbish at every TCP port of the victim, with and without a sound beginning. */
final class PortRubbish implements Attacker {
    private static final int TIME_TO_CONNECT_MILLIS = 2_000;
    private static final int MOST_BYTES = 256;
    private static final byte[][] BEGINNINGS = {
        {}, {'G', 'W', 'S', 'T', 1}, {'G', 'W', 'S', 'T', 2}, {'G', 'W', 'B', 'U', 'L', 'K', 0, 0}
    };

    @Override
    public void attack(Target target, RandomGenerator random, Tally tally) throws IOException {
        while (!tally.isOver()) {
            int port = target.tcpPorts().get(random.nextInt(target.tcpPorts().size()));
            show(new InetSocketAddress(target.host(), port), random, tally);
        }
    }

    private static void show(InetSocketAddress address, RandomGenerator random, Tally tally) {
        tally.sent();
        try (var socket = new Socket()) {
            socket.connect(address, TIME_TO_CONNECT_MILLIS);
            tally.connected();
            byte[] rubbish = new byte[random.nextInt(MOST_BYTES)];
            random.nextBytes(rubbish);
            socket.getOutputStream().write(BEGINNINGS[random.nextInt(BEGINNINGS.length)]);
            socket.getOutputStream().write(rubbish);
        } catch (IOException _) {
            tally.refused();
        }
    }
}
