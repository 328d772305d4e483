package org.gradwire.attack.intruder;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Greets the store, then sends back what it said, or what it said to an earlier connection. */
final class ReplayedGreetings implements Attacker {
    private static final int TIMEOUT_MILLIS = 200;
    private static final byte[] MAGIC = {'G', 'W', 'S', 'T'};
    private static final int MOST_VERSIONS = 3;
    private static final int PROOF_BYTES = 32;
    private static final int MOST_BYTES = 256;

    private byte[] earlier = new byte[PROOF_BYTES];

    @Override
    public void attack(Target target, RandomGenerator random, Tally tally) {
        var store = new InetSocketAddress(target.host(), target.storePort());
        while (!tally.isOver()) {
            tally.sent();
            try (var socket = new Socket()) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.connect(store, TIMEOUT_MILLIS);
                tally.connected();
                greet(socket, random, tally);
            } catch (IOException _) {
                tally.refused();
            }
        }
    }

    private void greet(Socket socket, RandomGenerator random, Tally tally) throws IOException {
        socket.getOutputStream().write(MAGIC);
        socket.getOutputStream().write(1 + random.nextInt(MOST_VERSIONS));
        byte[] said = new byte[MOST_BYTES];
        int count = socket.getInputStream().read(said);
        if (count < 0) {
            throw new IOException("closed without a word");
        }
        byte[] now = Arrays.copyOf(said, count);
        byte[] proof = Arrays.copyOf(random.nextBoolean() ? now : earlier, PROOF_BYTES);
        earlier = now;
        socket.getOutputStream().write(proof);
        int answer = socket.getInputStream().read();
        if (answer == 0) {
            tally.served(); // "welcome"
        } else {
            tally.refused();
        }
    }
}
