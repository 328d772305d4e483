package org.gradwire.backend.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;

import org.gradwire.rpc.RpcConfigurationException;

import java.net.InetAddress;
import java.util.function.Consumer;

/** Creates the server socket of a worker. */
final class ServerSockets {
    private static final int BACKLOG = 1024;

    static final WriteBufferWaterMark WATER_MARK =
            new WriteBufferWaterMark(512 * 1024, 2 * 1024 * 1024);

    private ServerSockets() {}

    /**
     * Bind a server socket. Must not be called on the loop.
     *
     * @param worker its id
     * @param accepted is called on the loop for each connection
     * @throws RpcConfigurationException when the address or port cannot be bound
     */
    static Channel bind(
            AgentLoop loop,
            int worker,
            InetAddress host,
            int port,
            Consumer<SocketChannel> accepted) {
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(loop.events())
                        .channel(TransportChoice.CHOSEN.serverSocket())
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        accepted.accept(channel);
                                    }
                                })
                        .bind(host, port)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new RpcConfigurationException(
                    "worker %d cannot listen at %s port %d: %s; choose another %s or %s"
                            .formatted(
                                    worker,
                                    host.getHostAddress(),
                                    port,
                                    bound.cause().getMessage(),
                                    SettingKeys.PORT,
                                    SettingKeys.HOST),
                    bound.cause());
        }
        return bound.channel();
    }
}
