package org.gradwire.bench;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.gradwire.bench.cold.ColdSequence;
import org.gradwire.bench.process.Ports;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * One of the two fresh gRPC processes of {@code --cold}; the server is that of {@link GrpcPeer}.
 */
public final class GrpcColdPeer {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(2);

    private GrpcColdPeer() {}

    /**
     * Run a rank.
     *
     * @param args the rank, 0 for the client, and the server's address, {@code HOST:PORT}
     */
    public static void main(String[] args) throws Exception {
        if (!args[0].equals("0")) {
            GrpcPeer.main(args);
            return;
        }
        InetSocketAddress address = Ports.address(args[1]);
        ManagedChannel channel = NettyChannelBuilder.forAddress(address).usePlaintext().build();
        try {
            connect(channel);
            ColdSequence.print(System.out, ColdSequence.CALLS, GrpcPeer.addition(channel));
            ChildLoop.awaitEnd();
        } finally {
            channel.shutdownNow();
        }
    }

    /** Try to connect until the server listens, without gRPC's pause of a second. */
    private static void connect(ManagedChannel channel) throws TimeoutException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (channel.getState(/* requestConnection= */ true) != ConnectivityState.READY) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new TimeoutException("no connection to the server in " + PATIENCE);
            }
            channel.resetConnectBackoff();
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
