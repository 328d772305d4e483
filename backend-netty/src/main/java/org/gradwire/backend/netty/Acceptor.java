package org.gradwire.backend.netty;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.RateLimitedLog;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Accepts connections from workers with larger ids, and performs the listener's side of the
 * handshake.
 *
 * <p>A connection without a proof of identity is closed after two seconds, five with TLS. At most
 * 64 such connections are open, 8 from one address; further ones are closed, and their workers
 * retry. A connected peer may have to renew its certificate: it adds one to the 8 of its address,
 * for which the 64 do not count. Confined to the loop unless noted.
 */
final class Acceptor {
    private static final System.Logger LOG = System.getLogger(Acceptor.class.getPackageName());
    private static final int MOST_UNPROVEN = 64;
    private static final int MOST_PER_ADDRESS = 8;
    private static final long HANDSHAKE_MILLIS = 2_000;
    private static final long TLS_HANDSHAKE_MILLIS = 5_000;

    /** Registry of peers, to which accepted connections are added. */
    interface Peers {

        /** {@return the peer with an id, or null if it is unknown} */
        @Nullable Peer find(int id);

        /** {@return the peers, lost ones too} */
        Collection<Peer> peers();

        /** {@return the lane of a connection after its handshake} */
        Lane open(Channel channel, Peer peer, boolean isForLarge, SharedSecret renewalSecret);

        /** Lose a peer whose handshake is refused. */
        void refuse(Peer peer, String reason);
    }

    private final Identity identity;
    private final AgentLoop loop;
    private final @Nullable Tls tls;
    private final @Nullable PeerCertificates certificates; // null without TLS
    private final AgentMetrics metrics;
    private final Peers peers;
    private final Set<Unproven> unproven = new HashSet<>();
    private final RateLimitedLog log = new RateLimitedLog(LOG, Duration.ofSeconds(10));
    private volatile @Nullable Channel server;
    private volatile String lastRefusal = "";

    Acceptor(
            Identity identity,
            AgentLoop loop,
            @Nullable Tls tls,
            @Nullable PeerCertificates certificates,
            AgentMetrics metrics,
            Peers peers) {
        this.identity = identity;
        this.loop = loop;
        this.tls = tls;
        this.certificates = certificates;
        this.metrics = metrics;
        this.peers = peers;
    }

    /**
     * Start to listen. Must not be called on the loop.
     *
     * @return the address at which it listens
     * @throws RpcConfigurationException when the address or port cannot be bound
     */
    InetSocketAddress listen(InetAddress host, int port) {
        Channel bound = ServerSockets.bind(loop, identity.id(), host, port, this::onAccepted);
        server = bound;
        return (InetSocketAddress) bound.localAddress();
    }

    private void onAccepted(SocketChannel channel) {
        InetAddress address = channel.remoteAddress().getAddress();
        long ofAddress = unproven.stream().filter(u -> u.address.equals(address)).count();
        long connected = peers.peers().stream().filter(peer -> peer.isOpenAt(address)).count();
        boolean isFull = unproven.size() >= MOST_UNPROVEN && connected == 0;
        if (isFull || ofAddress >= MOST_PER_ADDRESS + connected) {
            metrics.connectionsRefused.increment();
            var _ = channel.close();
            return;
        }
        var buffers = new ReadBuffers(loop.readBuffer());
        Connection.init(channel, tls == null ? null : tls.serverHandler(channel), buffers);
        var connection = new Unproven(channel, address, buffers);
        unproven.add(connection);
        channel.pipeline().addLast(connection);
    }

    /** Continue the handshakes that waited for the address of a peer. */
    void admitEarly(Peer peer) {
        for (Unproven connection : List.copyOf(unproven)) {
            connection.admitEarly(peer);
        }
    }

    /** {@return text about the last refused connection; empty for none. Thread-safe} */
    String lastRefusal() {
        return lastRefusal;
    }

    /** {@return the port at which it listens, or 0 before {@link #listen}. Thread-safe} */
    int port() {
        Channel listening = server;
        return listening == null ? 0 : ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** Stop listening, and close the connections that have not proven their identity. */
    void close() {
        Channel listening = server;
        if (listening != null) {
            var _ = listening.close();
        }
        List.copyOf(unproven).forEach(Unproven::close);
    }

    /** A connection whose other end has not proven its identity. */
    private final class Unproven extends Connection {
        private final SocketChannel channel;
        private final InetAddress address;
        private final byte[] challenge = Handshake.newChallenge();
        private final Future<?> deadline;
        private Handshake.@Nullable SignedHello early;
        private @Nullable ChannelHandlerContext context;

        Unproven(SocketChannel channel, InetAddress address, ReadBuffers buffers) {
            super(buffers, Handshake.HELLO_BYTES);
            this.channel = channel;
            this.address = address;
            deadline =
                    loop.events()
                            .schedule(
                                    this::close,
                                    tls == null ? HANDSHAKE_MILLIS : TLS_HANDSHAKE_MILLIS,
                                    TimeUnit.MILLISECONDS);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext newContext) {
            context = newContext;
        }

        @Override
        public void channelActive(ChannelHandlerContext active) {
            write(channel, Handshake.encodeChallenge(challenge));
        }

        @Override
        @Nullable Lane onStep(Channel from, ByteBuffer bytes) {
            Handshake.SignedHello arrived = Handshake.decodeHello(bytes);
            Handshake.Hello hello = arrived.hello();
            if (hello.group() != identity.group() || !hello.to().equals(identity.member())) {
                throw new DecodingException("a HELLO to another group or worker");
            }
            Peer peer = peers.find(hello.from().id());
            boolean isKnown = peer != null && !peer.isLost() && peer.member().equals(hello.from());
            if (hello.purpose() == Purpose.RENEWAL) {
                renew(isKnown ? peer : null, arrived);
                return null;
            }
            if (peer == null || !isKnown) {
                early = arrived; // continued when its address is known
                return null;
            }
            return admit(peer, arrived);
        }

        void admitEarly(Peer peer) {
            Handshake.SignedHello arrived = early;
            ChannelHandlerContext present = context;
            if (arrived != null
                    && present != null
                    && arrived.hello().from().equals(peer.member())) {
                early = null;
                Lane lane = admit(peer, arrived);
                if (lane != null) {
                    become(present, lane);
                }
            }
        }

        private @Nullable Lane admit(Peer peer, Handshake.SignedHello arrived) {
            SharedSecret secret = identity.sharedSecret();
            if (!isProven(peer, arrived, secret)) {
                return null;
            }
            Handshake.Hello hello = arrived.hello();
            boolean isForLarge = hello.purpose() == Purpose.LARGE_LANE;
            if (peer.hasLane(isForLarge)) {
                close();
                return null;
            }
            end();
            write(channel, hello.welcome(secret, challenge));
            SharedSecret renewalSecret = hello.renewalSecret(secret, challenge);
            return peers.open(channel, peer, isForLarge, renewalSecret);
        }

        /** {@return whether the dialer is the peer; else it is refused} */
        private boolean isProven(Peer peer, Handshake.SignedHello arrived, SharedSecret secret) {
            Handshake.Hello hello = arrived.hello();
            if (hello.hasToken() != identity.sharedSecret().isSet()) {
                return refuse(peer, Handshake.ONE_TOKEN);
            }
            if (!hello.isProven(arrived.proof(), secret, challenge)) {
                return refuse(peer, Handshake.OTHER_TOKEN);
            }
            String refusal = tls == null ? null : tls.refusal(channel, peer.info().name());
            if (refusal != null) {
                refuseImpostor(peer, refusal);
            }
            return refusal == null;
        }

        /** Accept the certificates that a connected peer shows, and close the connection. */
        private void renew(@Nullable Peer peer, Handshake.SignedHello arrived) {
            Handshake.Hello hello = arrived.hello();
            SharedSecret secret = peer == null ? null : peer.renewalSecret(hello.number());
            if (peer == null || secret == null || certificates == null) {
                close();
            } else if (isProven(peer, arrived, secret)) {
                certificates.onRenewed(peer, hello.number(), channel);
                var welcome = Unpooled.wrappedBuffer(hello.welcome(secret, challenge));
                var _ = channel.writeAndFlush(welcome).addListener(ChannelFutureListener.CLOSE);
            }
        }

        private boolean refuse(Peer peer, String reason) {
            metrics.connectionsRefused.increment();
            write(channel, Handshake.refusal(reason));
            close();
            if (!peer.isOpen()) {
                peers.refuse(peer, reason);
            }
            return false;
        }

        /**
         * Refuse a member that claims the name of a peer. The peer is not lost: it may still
         * connect.
         */
        private void refuseImpostor(Peer peer, String mismatch) {
            report(Level.WARNING, "as %s was refused: %s".formatted(peer, mismatch));
            write(channel, Handshake.refusal(Handshake.OTHER_CERTIFICATE));
            close();
        }

        private void report(Level level, String what) {
            metrics.connectionsRefused.increment();
            String refusal = "a connection from %s %s".formatted(address.getHostAddress(), what);
            log.log(level, () -> refusal);
            lastRefusal = refusal;
        }

        private void end() {
            deadline.cancel(false);
            unproven.remove(this);
        }

        void close() {
            end();
            var _ = channel.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext inactive) {
            end();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
            report(tls == null ? Level.DEBUG : Level.WARNING, "was refused: " + Tls.reason(cause));
            close();
        }
    }
}
