package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;

import org.gradwire.backend.netty.RawPeer.RawConnection;
import org.gradwire.backend.netty.TestGroup.Node;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import javax.net.SocketFactory;

/**
 * Renewals by members that would replace the certificates of another worker, or bring back their
 * own old ones. No names are compared, so all depends on the proof.
 */
class HostileRenewalTest {
    private static final int PEER = 2;
    private static final int ID = 77;
    private static final String CLOSED = "closed";
    private static final SharedSecret NONE = new SharedSecret("");

    @TempDir private static Path directory;
    private static Certificates first;
    private static SocketFactory before;
    private static SocketFactory after;

    private TestGroup group;
    private Node node;
    private RawPeer peer;
    private RawConnection lane;

    @BeforeAll
    static void issue() throws Exception {
        CertificateAuthority authority = Certificates.authority(directory);
        first = Certificates.signed(authority, "first", null);
        before = sockets(Certificates.signed(authority, "before", null));
        after = sockets(Certificates.signed(authority, "after", null));
    }

    private static SocketFactory sockets(Certificates files) throws IOException {
        var context =
                (JdkSslContext)
                        SslContextBuilder.forClient()
                                .keyManager(files.certificate().toFile(), files.key().toFile())
                                .trustManager(files.trust().toFile())
                                .endpointIdentificationAlgorithm("")
                                .sslProvider(SslProvider.JDK)
                                .protocols("TLSv1.3")
                                .build();
        return context.context().getSocketFactory();
    }

    @BeforeEach
    void join() throws Exception {
        Map<String, String> settings =
                first.with("liveness", "60s"); // the peer sends no heartbeats
        group = new TestGroup(List.of(settings), BufferAllocator.plain());
        node = group.node(0);
        peer = new RawPeer(PEER, 0, group.store, before);
        var connected = group.connect(node, PEER);
        lane = peer.open(false);
        peer.open(true);
        connected.get(20, SECONDS);
    }

    @AfterEach
    void close() throws IOException {
        peer.close();
        group.close();
    }

    /** {@return the refusal of a renewal that shows another certificate; empty for none} */
    private String renew(Handshake.Hello hello, SharedSecret secret) throws IOException {
        try (var connection = new RawConnection(peer.connect(after))) {
            byte[] challenge = RawPeer.challenge(connection);
            connection.write(hello.encode(secret, challenge).array());
            byte[] welcome = connection.read(Handshake.WELCOME_BYTES);
            String refusal =
                    hello.readWelcome(ByteBuffer.wrap(welcome), secret, challenge).refusal();
            connection.awaitEnd();
            return refusal;
        } catch (EOFException _) {
            return CLOSED;
        }
    }

    private void assertServed(int renewed) throws IOException {
        ByteBuf request = Unpooled.buffer();
        new FrameHeader(FrameHeader.Kind.REQUEST, 0, ID, TestGroup.REQUEST, 0).encode(request);
        lane.write(ByteBufUtil.getBytes(request));
        assertEquals(FrameHeader.Kind.REPLY.code(), lane.await(ID).kind());
        assertTrue(node.lost.isEmpty());
        assertEquals(renewed, node.metric("certificates_renewed"));
    }

    @Test
    void onlyTheEndOfTheLanesRenews() throws Exception {
        for (SharedSecret guess : List.of(NONE, new SharedSecret("a token"))) {
            assertEquals(Handshake.OTHER_TOKEN, renew(peer.renewal(1), guess));
        }
        assertServed(0);
        assertEquals("", renew(peer.renewal(1), peer.renewalSecret));
        assertServed(1);
    }

    @Test
    void aRenewalIsNotReplayed() throws Exception {
        Handshake.Hello hello = peer.renewal(1);
        byte[] recorded;
        try (var connection = new RawConnection(peer.connect(before))) {
            byte[] challenge = RawPeer.challenge(connection);
            RawPeer.requireProven(connection, hello, peer.renewalSecret, challenge);
            recorded = hello.encode(peer.renewalSecret, challenge).array();
            connection.awaitEnd();
        }
        try (var connection = new RawConnection(peer.connect(after))) {
            RawPeer.challenge(connection);
            connection.write(recorded);
            connection.awaitEnd();
        }
        assertServed(0); // it has shown the same certificate
        assertEquals("", renew(peer.renewal(2), peer.renewalSecret));
        assertServed(1);
    }

    /** A connection that was delayed shows certificates that are older. */
    @Test
    void anOlderRenewalIsNotAccepted() throws Exception {
        assertEquals("", renew(peer.renewal(5), peer.renewalSecret));
        for (int number : new int[] {5, 4, 0, -1}) {
            assertEquals(CLOSED, renew(peer.renewal(number), peer.renewalSecret));
        }
        assertServed(1);
    }

    @Test
    void aWorkerWithoutLanesDoesNotRenew() throws Exception {
        try (var other = new RawPeer(3, 0, group.store, SocketFactory.getDefault())) {
            assertEquals(CLOSED, renew(other.renewal(1), NONE));
        }
        assertServed(0);
    }

    /** The listener asks for a renewal; a dialer that does not obey costs nothing. */
    @Test
    void aDialerThatAsksForARenewalIsServed() throws Exception {
        for (int i = 0; i < 100; i++) {
            ByteBuf frame = Unpooled.buffer();
            new FrameHeader(FrameHeader.Kind.RENEW, 0, 0, 0, 0).encode(frame);
            lane.write(ByteBufUtil.getBytes(frame));
        }
        assertServed(0);
    }
}
