package org.gradwire.bench;

import org.gradwire.bench.process.Ports;
import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.FutureTask;

/**
 * One of the two processes of the limit between hosts: an echo of bytes over a TCP connection, with
 * blocking calls, without encryption. Calls change no thread.
 */
public final class SocketPeer {
    private static final int CALL_BYTES = 64;
    private static final int PART_BYTES = 256 << 10;

    private static final long TIME_TO_START_NANOS = 60_000_000_000L;
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final SocketChannel channel;
    private final ByteBuffer small = ByteBuffer.allocateDirect(CALL_BYTES);
    private final ByteBuffer large = ByteBuffer.allocateDirect(PART_BYTES);
    private final ByteBuffer part = ByteBuffer.allocateDirect(PART_BYTES);

    private SocketPeer(SocketChannel channel) throws IOException {
        this.channel = channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** Run a rank. The last arguments are the rank, 0 for the client, and the server's address. */
    public static void main(String[] args) throws Exception {
        InetSocketAddress address = Ports.address(args[args.length - 1]);
        if (args[args.length - 2].equals("0")) {
            try (SocketChannel channel = connect(address)) {
                ChildLoop.serve(new SocketPeer(channel).tasks());
            }
        } else {
            Thread.ofPlatform().daemon().start(() -> serve(address));
            ChildLoop.awaitEnd();
        }
    }

    /** Connect, once the server listens. */
    private static SocketChannel connect(InetSocketAddress address) throws Exception {
        long begin = System.nanoTime();
        while (true) {
            try {
                return SocketChannel.open(address);
            } catch (ConnectException e) {
                if (System.nanoTime() - begin > TIME_TO_START_NANOS) {
                    throw e;
                }
                Thread.sleep(PAUSE);
            }
        }
    }

    private static void serve(InetSocketAddress address) {
        try (var server = ServerSocketChannel.open().bind(address);
                SocketChannel channel = server.accept()) {
            var peer = new SocketPeer(channel);
            while (true) {
                peer.echoArrived();
            }
        } catch (EOFException _) {
            // the client has ended
        } catch (IOException e) {
            System.err.println("the echo ended: " + e);
        }
    }

    private void echoArrived() throws IOException {
        part.clear();
        if (channel.read(part) < 0) {
            throw new EOFException("the client has ended");
        }
        write(part.flip());
    }

    private Map<Metric, Workload> tasks() {
        Map<Metric, Workload> tasks = new EnumMap<>(Metric.class);
        tasks.put(Metric.NET_NOOP, Workload.latency(this::echo));
        tasks.put(Metric.NET_ADD, Workload.latency(this::echo));
        long bytes = Metric.NET_ECHO_8_MIB.work();
        tasks.put(Metric.NET_ECHO_8_MIB, Workload.latency(() -> largeEcho(bytes)));
        return tasks;
    }

    private void echo() throws IOException {
        write(small.clear());
        read(CALL_BYTES);
    }

    /** Send a tensor's bytes while they return. */
    private void largeEcho(long bytes) throws Exception {
        var writer =
                new FutureTask<@Nullable Void>(() -> {
                    for (long sent = 0; sent < bytes; sent += PART_BYTES) {
                        write(large.clear());
                    }
                    return null;
                });
        Thread.ofPlatform().start(writer);
        read(bytes);
        var _ = writer.get();
    }

    private void read(long bytes) throws IOException {
        for (long received = 0; received < bytes; ) {
            int length = channel.read(part.clear());
            if (length < 0) {
                throw new EOFException("the server has ended");
            }
            received += length;
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
