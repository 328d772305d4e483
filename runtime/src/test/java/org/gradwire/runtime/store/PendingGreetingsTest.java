package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.crypto.X25519;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** The limits of connections that wait for their greeting. */
class PendingGreetingsTest {
    private static final GreetingProofs PROOFS = new GreetingProofs("secret");
    private static final X25519 EXCHANGE = X25519.random();
    private static final String LOOPBACK = "127.0.0.1";

    private final PendingGreetings greetings = new PendingGreetings();
    private final List<SocketChannel> channels = new ArrayList<>();

    @AfterEach
    void closeAll() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    private Greeting greeting(String address, long now) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channels.add(channel);
        return new Greeting(channel, InetAddress.ofLiteral(address), PROOFS, EXCHANGE, now);
    }

    private int admitted(String address, int count, long now) throws IOException {
        int admitted = 0;
        for (int i = 0; i < count; i++) {
            if (greetings.add(greeting(address, now), now)) {
                admitted++;
            }
        }
        return admitted;
    }

    @Test
    void noAddressTakesAllPlaces() throws Exception {
        assertEquals(PendingGreetings.MAX_LOOPBACK, admitted(LOOPBACK, 500, 0));
        assertFalse(greetings.isFull(0), "a flood from one address must not stop accepting");
        assertEquals(PendingGreetings.MAX_PER_ADDRESS, admitted("192.0.2.1", 500, 0));
        assertFalse(greetings.isFull(0));
        assertEquals(PendingGreetings.MAX_PER_ADDRESS, admitted("192.0.2.2", 500, 0));
        assertTrue(greetings.isFull(0));
        assertEquals(0, admitted("192.0.2.3", 1, 0));
        assertEquals(PendingGreetings.MAX, greetings.size());
    }

    @Test
    void theAddressesOfOneHostShareALimit() throws Exception {
        assertEquals(PendingGreetings.MAX_LOOPBACK, admitted("127.0.0.1", 48, 0));
        assertEquals(0, admitted("127.9.9.9", 1, 0));
        assertEquals(0, admitted("::1", 1, 0));
        assertEquals(PendingGreetings.MAX_PER_ADDRESS, admitted("2001:db8::1", 8, 0));
        assertEquals(0, admitted("2001:db8::ffff:2", 1, 0));
        assertEquals(1, admitted("2001:db8:0:1::1", 1, 0));
    }

    @Test
    void afterItsGraceTheOldestOfAnAddressMakesRoom() throws Exception {
        Greeting other = greeting("192.0.2.9", 0);
        assertTrue(greetings.add(other, 0));
        Greeting oldest = greeting("192.0.2.1", 0);
        assertTrue(greetings.add(oldest, 0));
        assertEquals(7, admitted("192.0.2.1", 7, 1));
        assertEquals(0, admitted("192.0.2.1", 1, PendingGreetings.GRACE_NANOS - 1));
        assertEquals(1, admitted("192.0.2.1", 1, PendingGreetings.GRACE_NANOS));
        assertFalse(oldest.channel().isOpen());
        assertTrue(other.channel().isOpen(), "a connection of another address was ended");
        assertEquals(0, admitted("192.0.2.1", 1, PendingGreetings.GRACE_NANOS));
    }

    @Test
    void afterItsGraceTheOldestOfAllMakesRoom() throws Exception {
        for (int host = 1; host <= PendingGreetings.MAX; host++) {
            assertEquals(1, admitted("192.0.2." + host, 1, host));
        }
        long now = PendingGreetings.GRACE_NANOS;
        assertTrue(greetings.isFull(now));
        assertEquals(1, greetings.nanosToNextEnd(now));
        assertFalse(greetings.isFull(now + 1));
        assertEquals(1, admitted("192.0.2.100", 1, now + 1));
        assertFalse(channels.getFirst().isOpen());
        assertTrue(channels.get(1).isOpen());
        assertEquals(PendingGreetings.MAX, greetings.size());
    }

    @Test
    void nobodyHasMoreThanTheDeadline() throws Exception {
        assertEquals(Long.MAX_VALUE, greetings.nanosToNextEnd(0));
        assertEquals(1, admitted(LOOPBACK, 1, 0));
        assertEquals(1, admitted(LOOPBACK, 1, 10));
        assertEquals(PendingGreetings.DEADLINE_NANOS, greetings.nanosToNextEnd(0));
        greetings.endLate(PendingGreetings.DEADLINE_NANOS - 1);
        assertEquals(2, greetings.size());
        greetings.endLate(PendingGreetings.DEADLINE_NANOS);
        assertEquals(1, greetings.size());
        assertFalse(channels.getFirst().isOpen());
        greetings.endAll();
        assertEquals(0, greetings.size());
        assertFalse(channels.getLast().isOpen());
    }
}
