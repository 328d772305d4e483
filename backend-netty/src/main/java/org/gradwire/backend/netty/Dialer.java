package org.gradwire.backend.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Opens the connections to workers with smaller ids, and performs the connecting side of the
 * handshake. A failed attempt is repeated until the peer is lost. Confined to the loop.
 */
final class Dialer {
    private static final int CONNECT_MILLIS = 5_000;
    private static final long HANDSHAKE_MILLIS = 10_000;
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long MOST_PAUSE_MILLIS = 500;

    /** Registry of peers, to which opened connections are added. */
    interface Peers {

        /** {@return the lane of a connection after its handshake} */
        Lane open(Channel channel, Peer peer, boolean isForLarge);

        /** Lose a peer that a retry cannot reach. */
        void lose(Peer peer, RpcException reason);
    }

    private final Identity identity;
    private final AgentLoop loop;
    private final @Nullable Tls tls;
    private final Peers peers;

    Dialer(Identity identity, AgentLoop loop, @Nullable Tls tls, Peers peers) {
        this.identity = identity;
        this.loop = loop;
        this.tls = tls;
        this.peers = peers;
    }

    /** Open the lanes to a peer: first that for small messages, then that for large ones. */
    void dial(Peer peer) {
        new Attempts(peer, false).connect();
    }

    /** The attempts to open one lane. */
    private final class Attempts {
        private final Peer peer;
        private final boolean isForLarge;
        private long pauseMillis = FIRST_PAUSE_MILLIS;

        Attempts(Peer peer, boolean isForLarge) {
            this.peer = peer;
            this.isForLarge = isForLarge;
        }

        void connect() {
            if (peer.isLost() || loop.events().isShuttingDown()) {
                return;
            }
            ChannelFuture connected =
                    new Bootstrap()
                            .group(loop.events())
                            .channel(TransportChoice.CHOSEN.socket())
                            .option(ChannelOption.TCP_NODELAY, true)
                            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, Acceptor.WATER_MARK)
                            .handler(
                                    new ChannelInitializer<SocketChannel>() {
                                        @Override
                                        protected void initChannel(SocketChannel channel) {
                                            onConnecting(channel);
                                        }
                                    })
                            .connect(peer.address().socket());
            connected.addListener(_ -> {
                if (!connected.isSuccess()) {
                    retry(Tls.reason(connected.cause()));
                }
            });
        }

        private void onConnecting(SocketChannel channel) {
            var buffers = new ReadBuffers(loop.readBuffer());
            Connection.init(channel, tls == null ? null : tls.clientHandler(channel), buffers);
            channel.pipeline().addLast(new Dialed(channel, this, buffers));
        }

        /** Connect again after a pause, which doubles each time. */
        void retry(String obstacle) {
            peer.setObstacle(obstacle);
            if (!peer.isLost() && !loop.events().isShuttingDown()) {
                var _ = loop.events().schedule(this::connect, pauseMillis, TimeUnit.MILLISECONDS);
                pauseMillis = Math.min(2 * pauseMillis, MOST_PAUSE_MILLIS);
            }
        }

        Lane open(Channel channel) {
            Lane lane = peers.open(channel, peer, isForLarge);
            if (!isForLarge) {
                new Attempts(peer, true).connect();
            }
            return lane;
        }
    }

    /** A connection whose other end has not proven its identity. */
    private final class Dialed extends Connection {
        private final Channel channel;
        private final Attempts attempts;
        private final Handshake.Hello hello;
        private final Future<?> deadline;
        private byte @Nullable [] challenge; // of the listener, once it has arrived
        private boolean isOver;
        private String obstacle = "it closed the connection";

        Dialed(Channel channel, Attempts attempts, ReadBuffers buffers) {
            super(buffers, Handshake.CHALLENGE_BYTES);
            this.channel = channel;
            this.attempts = attempts;
            hello =
                    new Handshake.Hello(
                            identity.sharedSecret().isSet(),
                            attempts.isForLarge,
                            identity.group(),
                            identity.member(),
                            attempts.peer.member(),
                            Handshake.newChallenge());
            deadline =
                    loop.events().schedule(this::onLate, HANDSHAKE_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void onLate() {
            obstacle = "it did not complete the handshake in %d ms".formatted(HANDSHAKE_MILLIS);
            var _ = channel.close();
        }

        @Override
        @Nullable Lane onStep(Channel from, ByteBuffer bytes) {
            byte[] known = challenge;
            if (known == null) {
                String mismatch =
                        tls == null ? null : tls.mismatch(from, attempts.peer.info().name());
                if (mismatch != null) {
                    refuse(
                            "%s at %s is refused: %s; see %s"
                                    .formatted(
                                            attempts.peer,
                                            attempts.peer.address(),
                                            mismatch,
                                            Settings.IDENTITY));
                    return null;
                }
                byte[] sent = Handshake.decodeChallenge(bytes);
                challenge = sent;
                write(from, hello.encode(identity.sharedSecret(), sent));
                expect(Handshake.WELCOME_BYTES);
                return null;
            }
            Handshake.Outcome outcome = hello.readWelcome(bytes, identity.sharedSecret(), known);
            if (outcome.isProven()) {
                end();
                return openUnlessLost();
            }
            refuse(
                    "%s is refused: %s; set the same %s on all workers"
                            .formatted(
                                    attempts.peer,
                                    outcome.refusal(),
                                    outcome.refusal().contains(Handshake.OTHER_CERTIFICATE)
                                            ? Settings.IDENTITY
                                            : Settings.AUTHENTICATION_TOKEN));
            return null;
        }

        private @Nullable Lane openUnlessLost() {
            if (attempts.peer.isLost()) {
                var _ = channel.close();
                return null;
            }
            return attempts.open(channel);
        }

        private void end() {
            isOver = true;
            deadline.cancel(false);
        }

        private void refuse(String reason) {
            end();
            var _ = channel.close();
            peers.lose(attempts.peer, new RpcConfigurationException(reason));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!isOver) {
                end();
                attempts.retry(obstacle);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (isOver) {
                var _ = channel.close();
            } else if (Tls.isRefusal(cause)) {
                refuse(
                        "TLS with %s at %s failed: %s; see %s, %s and %s of both workers"
                                .formatted(
                                        attempts.peer,
                                        attempts.peer.address(),
                                        Tls.reason(cause),
                                        Settings.CERTIFICATE,
                                        Settings.PRIVATE_KEY,
                                        Settings.TRUST));
            } else if (cause instanceof DecodingException) {
                refuse(
                        "%s at %s: %s"
                                .formatted(
                                        attempts.peer,
                                        attempts.peer.address(),
                                        cause.getMessage()));
            } else {
                obstacle = Tls.reason(cause);
                var _ = channel.close();
            }
        }
    }
}
