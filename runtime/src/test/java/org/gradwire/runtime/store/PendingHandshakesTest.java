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

/** The limits of connections that wait for their handshake. */
class PendingHandshakesTest {
    private static final StoreSecurity SECURITY = StoreSecurity.withToken("secret");
    private static final X25519 EXCHANGE = X25519.random();
    private static final String LOOPBACK = "127.0.0.1";

    private final PendingHandshakes handshakes = new PendingHandshakes();
    private final List<SocketChannel> channels = new ArrayList<>();

    @AfterEach
    void closeAll() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    private ServerHandshake handshake(String address, long now) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channels.add(channel);
        return new ServerHandshake(
                channel, InetAddress.ofLiteral(address), SECURITY, EXCHANGE, now);
    }

    private int admitted(String address, int count, long now) throws IOException {
        int admitted = 0;
        for (int i = 0; i < count; i++) {
            if (handshakes.add(handshake(address, now), now)) {
                admitted++;
            }
        }
        return admitted;
    }

    @Test
    void noAddressTakesAllPlaces() throws Exception {
        assertEquals(PendingHandshakes.MAX_LOOPBACK, admitted(LOOPBACK, 500, 0));
        assertFalse(handshakes.isFull(0), "a flood from one address must not stop accepting");
        assertEquals(PendingHandshakes.MAX_PER_ADDRESS, admitted("192.0.2.1", 500, 0));
        assertFalse(handshakes.isFull(0));
        assertEquals(PendingHandshakes.MAX_PER_ADDRESS, admitted("192.0.2.2", 500, 0));
        assertTrue(handshakes.isFull(0));
        assertEquals(0, admitted("192.0.2.3", 1, 0));
        assertEquals(PendingHandshakes.MAX, handshakes.size());
    }

    @Test
    void theAddressesOfOneHostShareALimit() throws Exception {
        assertEquals(PendingHandshakes.MAX_LOOPBACK, admitted("127.0.0.1", 48, 0));
        assertEquals(0, admitted("127.9.9.9", 1, 0));
        assertEquals(0, admitted("::1", 1, 0));
        assertEquals(PendingHandshakes.MAX_PER_ADDRESS, admitted("2001:db8::1", 8, 0));
        assertEquals(0, admitted("2001:db8::ffff:2", 1, 0));
        assertEquals(1, admitted("2001:db8:0:1::1", 1, 0));
    }

    @Test
    void afterItsGraceTheOldestOfAnAddressMakesRoom() throws Exception {
        ServerHandshake other = handshake("192.0.2.9", 0);
        assertTrue(handshakes.add(other, 0));
        ServerHandshake oldest = handshake("192.0.2.1", 0);
        assertTrue(handshakes.add(oldest, 0));
        assertEquals(7, admitted("192.0.2.1", 7, 1));
        assertEquals(0, admitted("192.0.2.1", 1, PendingHandshakes.GRACE_NANOS - 1));
        assertEquals(1, admitted("192.0.2.1", 1, PendingHandshakes.GRACE_NANOS));
        assertFalse(oldest.channel().isOpen());
        assertTrue(other.channel().isOpen(), "a connection of another address was ended");
        assertEquals(0, admitted("192.0.2.1", 1, PendingHandshakes.GRACE_NANOS));
    }

    @Test
    void afterItsGraceTheOldestOfAllMakesRoom() throws Exception {
        for (int host = 1; host <= PendingHandshakes.MAX; host++) {
            assertEquals(1, admitted("192.0.2." + host, 1, host));
        }
        long now = PendingHandshakes.GRACE_NANOS;
        assertTrue(handshakes.isFull(now));
        assertEquals(1, handshakes.nanosToNextEnd(now));
        assertFalse(handshakes.isFull(now + 1));
        assertEquals(1, admitted("192.0.2.100", 1, now + 1));
        assertFalse(channels.getFirst().isOpen());
        assertTrue(channels.get(1).isOpen());
        assertEquals(PendingHandshakes.MAX, handshakes.size());
    }

    @Test
    void nobodyHasMoreThanTheDeadline() throws Exception {
        assertEquals(Long.MAX_VALUE, handshakes.nanosToNextEnd(0));
        assertEquals(1, admitted(LOOPBACK, 1, 0));
        assertEquals(1, admitted(LOOPBACK, 1, 10));
        assertEquals(PendingHandshakes.DEADLINE_NANOS, handshakes.nanosToNextEnd(0));
        handshakes.endLate(PendingHandshakes.DEADLINE_NANOS - 1);
        assertEquals(2, handshakes.size());
        handshakes.endLate(PendingHandshakes.DEADLINE_NANOS);
        assertEquals(1, handshakes.size());
        assertFalse(channels.getFirst().isOpen());
        handshakes.endAll();
        assertEquals(0, handshakes.size());
        assertFalse(channels.getLast().isOpen());
    }
}
