package org.gradwire.backend.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Listens for workers with larger ids, and checks who they are.
 *
 * <p>A connection that has not proven who it is costs a descriptor and some memory for at most two
 * seconds, five with TLS. There are at most 64 of them, 8 from one address; further ones are
 * closed, and their workers try again. Used by the loop.
 */
final class Acceptor {
    private static final System.Logger LOG = System.getLogger(Acceptor.class.getPackageName());
    private static final int MOST_UNPROVEN = 64;
    private static final int MOST_PER_ADDRESS = 8;
    private static final int BACKLOG = 1024;
    private static final long GREETING_MILLIS = 2_000;
    private static final long TLS_GREETING_MILLIS = 5_000;

    static final WriteBufferWaterMark WATER_MARK =
            new WriteBufferWaterMark(512 * 1024, 2 * 1024 * 1024);

    /** What is done with those who have proven who they are. */
    interface Peers {

        /** {@return the peer of an id, if it is known} */
        @Nullable Peer find(int id);

        /** {@return the lane that a connection of a peer has become} */
        Lane open(Channel channel, Peer peer, boolean isForLarge);

        /** Give up a peer that is refused. */
        void refuse(Peer peer, String why);
    }

    private final Identity identity;
    private final Loop loop;
    private final @Nullable Tls tls;
    private final Statistics statistics;
    private final Peers peers;
    private final Set<Unproven> unproven = new HashSet<>();
    private final RateLimitedLog log = new RateLimitedLog(LOG, Duration.ofSeconds(10));
    private @Nullable Channel server;
    private volatile String lastRefusal = "";

    Acceptor(Identity identity, Loop loop, @Nullable Tls tls, Statistics statistics, Peers peers) {
        this.identity = identity;
        this.loop = loop;
        this.tls = tls;
        this.statistics = statistics;
        this.peers = peers;
    }

    /**
     * Begin to listen. For any thread but the loop's.
     *
     * @return where it listens
     * @throws RpcConfigurationException when it cannot
     */
    InetSocketAddress listen(InetAddress host, int port) {
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(loop.events())
                        .channel(NioServerSocketChannel.class)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        onAccepted(channel);
                                    }
                                })
                        .bind(host, port)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new RpcConfigurationException(
                    "%s cannot listen at %s port %d: %s; choose another %s or %s"
                            .formatted(
                                    "worker " + identity.id(),
                                    host.getHostAddress(),
                                    port,
                                    bound.cause().getMessage(),
                                    Keys.PORT,
                                    Keys.HOST),
                    bound.cause());
        }
        server = bound.channel();
        return (InetSocketAddress) bound.channel().localAddress();
    }

    private void onAccepted(SocketChannel channel) {
        InetAddress address = channel.remoteAddress().getAddress();
        long ofAddress = unproven.stream().filter(u -> u.address.equals(address)).count();
        if (unproven.size() >= MOST_UNPROVEN || ofAddress >= MOST_PER_ADDRESS) {
            statistics.connectionsRefused.increment();
            var _ = channel.close();
            return;
        }
        var buffers = new ReadBuffers(loop.readBuffer());
        Connection.init(channel, tls == null ? null : tls.serverHandler(channel), buffers);
        var connection = new Unproven(channel, address, buffers);
        unproven.add(connection);
        channel.pipeline().addLast(connection);
    }

    /** A peer has become known, which may have connected before. */
    void admitEarly(Peer peer) {
        for (Unproven connection : List.copyOf(unproven)) {
            connection.admitEarly(peer);
        }
    }

    /** {@return which connection was refused last, and why; empty for none. For any thread} */
    String lastRefusal() {
        return lastRefusal;
    }

    /** Listen no more. */
    void close() {
        Channel listening = server;
        if (listening != null) {
            var _ = listening.close();
        }
        List.copyOf(unproven).forEach(Unproven::close);
    }

    /** A connection whose other end has not proven who it is. */
    private final class Unproven extends Connection {
        private final SocketChannel channel;
        private final InetAddress address;
        private final byte[] challenge = Greeting.newChallenge();
        private final Future<?> deadline;
        private Greeting.@Nullable Arrived early;
        private @Nullable ChannelHandlerContext context;

        Unproven(SocketChannel channel, InetAddress address, ReadBuffers buffers) {
            super(buffers, Greeting.HELLO_BYTES);
            this.channel = channel;
            this.address = address;
            deadline =
                    loop.events()
                            .schedule(
                                    this::close,
                                    tls == null ? GREETING_MILLIS : TLS_GREETING_MILLIS,
                                    TimeUnit.MILLISECONDS);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext newContext) {
            context = newContext;
        }

        @Override
        public void channelActive(ChannelHandlerContext active) {
            write(channel, Greeting.encodeChallenge(challenge));
        }

        @Override
        @Nullable Lane onStep(Channel from, ByteBuffer bytes) {
            Greeting.Arrived arrived = Greeting.decodeHello(bytes);
            Greeting.Hello hello = arrived.hello();
            if (hello.group() != identity.group() || !hello.to().equals(identity.party())) {
                throw new DecodingException("a HELLO to somebody else");
            }
            Peer peer = peers.find(hello.from().id());
            if (peer == null || peer.isLost() || !peer.party().equals(hello.from())) {
                early = arrived; // looked at when its address is known
                return null;
            }
            return admit(peer, arrived);
        }

        void admitEarly(Peer peer) {
            Greeting.Arrived arrived = early;
            ChannelHandlerContext present = context;
            if (arrived != null && present != null && arrived.hello().from().equals(peer.party())) {
                early = null;
                Lane lane = admit(peer, arrived);
                if (lane != null) {
                    become(present, lane);
                }
            }
        }

        private @Nullable Lane admit(Peer peer, Greeting.Arrived arrived) {
            Greeting.Hello hello = arrived.hello();
            if (hello.hasToken() != identity.token().isSet()) {
                refuse(peer, Greeting.ONE_TOKEN);
                return null;
            }
            if (!hello.isProven(arrived.proof(), identity.token(), challenge)) {
                refuse(peer, Greeting.OTHER_TOKEN);
                return null;
            }
            if (peer.hasLane(hello.isForLarge())) {
                close();
                return null;
            }
            end();
            write(channel, hello.welcome(identity.token(), challenge));
            return peers.open(channel, peer, hello.isForLarge());
        }

        private void refuse(Peer peer, String why) {
            statistics.connectionsRefused.increment();
            write(channel, Greeting.refusal(why));
            close();
            if (!peer.isOpen()) {
                peers.refuse(peer, why);
            }
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
            statistics.connectionsRefused.increment();
            String refusal =
                    "a connection from %s was refused: %s"
                            .formatted(address.getHostAddress(), Tls.reason(cause));
            log.log(tls == null ? Level.DEBUG : Level.WARNING, () -> refusal);
            lastRefusal = refusal;
            close();
        }
    }
}
