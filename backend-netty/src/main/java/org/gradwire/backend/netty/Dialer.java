package org.gradwire.backend.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.TimeUnit;

/**
 * Opens the connections to workers with smaller ids. A failed attempt to open a lane is repeated
 * until the peer is lost. Confined to the loop.
 */
final class Dialer {
    private static final int CONNECT_MILLIS = 5_000;
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long MOST_PAUSE_MILLIS = 500;

    /** Registry of peers, to which opened connections are added. */
    interface Peers {

        /** {@return the lane of a connection after its handshake} */
        Lane open(Channel channel, Peer peer, boolean isForLarge, SharedSecret renewalSecret);

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
        connect(new LaneAttempts(peer, Purpose.SMALL_LANE));
    }

    /** Begin an attempt, unless its peer is lost or the loop ends. */
    void connect(DialedConnection.Attempt attempt) {
        if (attempt.peer().isLost() || loop.events().isShuttingDown()) {
            return;
        }
        ChannelFuture connected =
                new Bootstrap()
                        .group(loop.events())
                        .channel(TransportChoice.CHOSEN.socket())
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, ServerSockets.WATER_MARK)
                        .handler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        onConnecting(channel, attempt);
                                    }
                                })
                        .connect(attempt.peer().address().socket());
        connected.addListener(_ -> {
            if (!connected.isSuccess()) {
                attempt.onFailed(Tls.reason(connected.cause()));
            }
        });
    }

    private void onConnecting(SocketChannel channel, DialedConnection.Attempt attempt) {
        var buffers = new ReadBuffers(loop.readBuffer());
        Connection.init(channel, tls == null ? null : tls.clientHandler(channel), buffers);
        channel.pipeline()
                .addLast(new DialedConnection(channel, attempt, identity, tls, loop, buffers));
    }

    /** The attempts to open one lane. */
    private final class LaneAttempts implements DialedConnection.Attempt {
        private final Peer peer;
        private final Purpose purpose;
        private long pauseMillis = FIRST_PAUSE_MILLIS;

        LaneAttempts(Peer peer, Purpose purpose) {
            this.peer = peer;
            this.purpose = purpose;
        }

        @Override
        public Peer peer() {
            return peer;
        }

        @Override
        public Purpose purpose() {
            return purpose;
        }

        @Override
        public int number() {
            return 0;
        }

        @Override
        public SharedSecret secret() {
            return identity.sharedSecret();
        }

        @Override
        public @Nullable Lane onProven(Channel channel, SharedSecret renewalSecret) {
            if (peer.isLost()) {
                var _ = channel.close();
                return null;
            }
            boolean isForLarge = purpose == Purpose.LARGE_LANE;
            Lane lane = peers.open(channel, peer, isForLarge, renewalSecret);
            if (!isForLarge) {
                connect(new LaneAttempts(peer, Purpose.LARGE_LANE));
            }
            return lane;
        }

        /** Connect again after a pause, which doubles each time. */
        @Override
        public void onFailed(String obstacle) {
            peer.setObstacle(obstacle);
            if (!peer.isLost() && !loop.events().isShuttingDown()) {
                var _ =
                        loop.events()
                                .schedule(() -> connect(this), pauseMillis, TimeUnit.MILLISECONDS);
                pauseMillis = Math.min(2 * pauseMillis, MOST_PAUSE_MILLIS);
            }
        }

        @Override
        public void onRefused(String reason) {
            peers.lose(peer, new RpcConfigurationException(reason));
        }
    }
}
