package org.gradwire.backend.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Connects to workers with smaller ids, and shows them who this worker is. What fails is tried
 * again until the peer is given up. Used by the loop.
 */
final class Dialer {
    private static final int CONNECT_MILLIS = 5_000;
    private static final long GREETING_MILLIS = 10_000;
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long MOST_PAUSE_MILLIS = 500;

    /** What is done with connections. */
    interface Peers {

        /** {@return the lane that a connection to a peer has become} */
        Lane open(Channel channel, Peer peer, boolean isForLarge);

        /** Give up a peer that cannot be reached, whatever is tried. */
        void lose(Peer peer, RpcException reason);
    }

    private final Identity identity;
    private final Loop loop;
    private final @Nullable Tls tls;
    private final Peers peers;

    Dialer(Identity identity, Loop loop, @Nullable Tls tls, Peers peers) {
        this.identity = identity;
        this.loop = loop;
        this.tls = tls;
        this.peers = peers;
    }

    /** Connect to a peer: its lane for small messages first. */
    void dial(Peer peer) {
        new Attempts(peer, false).next();
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

        void next() {
            if (peer.isLost() || loop.events().isShuttingDown()) {
                return;
            }
            ChannelFuture connected =
                    new Bootstrap()
                            .group(loop.events())
                            .channel(NioSocketChannel.class)
                            .option(ChannelOption.TCP_NODELAY, true)
                            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, Acceptor.WATER_MARK)
                            .handler(
                                    new ChannelInitializer<SocketChannel>() {
                                        @Override
                                        protected void initChannel(SocketChannel channel) {
                                            greet(channel);
                                        }
                                    })
                            .connect(peer.address().socket());
            connected.addListener(_ -> {
                if (!connected.isSuccess()) {
                    again(Tls.reason(connected.cause()));
                }
            });
        }

        private void greet(SocketChannel channel) {
            var buffers = new ReadBuffers(loop.readBuffer());
            Connection.init(channel, tls == null ? null : tls.clientHandler(channel), buffers);
            channel.pipeline().addLast(new Dialed(channel, this, buffers));
        }

        /** Try again after a pause. */
        void again(String obstacle) {
            peer.setObstacle(obstacle);
            if (!peer.isLost() && !loop.events().isShuttingDown()) {
                var _ = loop.events().schedule(this::next, pauseMillis, TimeUnit.MILLISECONDS);
                pauseMillis = Math.min(2 * pauseMillis, MOST_PAUSE_MILLIS);
            }
        }

        Lane open(Channel channel) {
            Lane lane = peers.open(channel, peer, isForLarge);
            if (!isForLarge) {
                new Attempts(peer, true).next();
            }
            return lane;
        }
    }

    /** A connection on which the other end is asked who it is. */
    private final class Dialed extends Connection {
        private final Channel channel;
        private final Attempts attempts;
        private final Greeting.Hello hello;
        private final Future<?> deadline;
        private byte @Nullable [] challenge; // of the other end, once it has arrived
        private boolean isOver;
        private String obstacle = "it closed the connection";

        Dialed(Channel channel, Attempts attempts, ReadBuffers buffers) {
            super(buffers, Greeting.CHALLENGE_BYTES);
            this.channel = channel;
            this.attempts = attempts;
            hello =
                    new Greeting.Hello(
                            identity.token().isSet(),
                            attempts.isForLarge,
                            identity.group(),
                            identity.party(),
                            attempts.peer.party(),
                            Greeting.newChallenge());
            deadline = loop.events().schedule(this::onLate, GREETING_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void onLate() {
            obstacle = "it did not answer the greeting in %d ms".formatted(GREETING_MILLIS);
            var _ = channel.close();
        }

        @Override
        @Nullable Lane onStep(Channel from, ByteBuffer bytes) {
            byte[] known = challenge;
            if (known == null) {
                byte[] sent = Greeting.decodeChallenge(bytes);
                challenge = sent;
                write(from, hello.encode(identity.token(), sent));
                expect(Greeting.WELCOME_BYTES);
                return null;
            }
            Greeting.Answer answer = hello.answer(bytes, identity.token(), known);
            if (answer.isProven()) {
                end();
                return openUnlessLost();
            }
            refuse(
                    "%s is refused: %s; set the same %s on all workers"
                            .formatted(attempts.peer, answer.why(), Settings.AUTHENTICATION_TOKEN));
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

        private void refuse(String why) {
            end();
            var _ = channel.close();
            peers.lose(attempts.peer, new RpcConfigurationException(why));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!isOver) {
                end();
                attempts.again(obstacle);
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
                                        Keys.CERTIFICATE,
                                        Keys.KEY,
                                        Keys.TRUST));
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
