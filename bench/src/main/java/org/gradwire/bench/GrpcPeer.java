package org.gradwire.bench;

import com.google.common.util.concurrent.ListenableFuture;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;

import org.gradwire.bench.paced.PacedCalls;
import org.gradwire.bench.process.Ports;
import org.gradwire.bench.tls.GrpcTls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * One of the two gRPC processes: unary calls over TCP with its defaults except the size limit, and
 * byte messages, so that no codec is measured.
 */
public final class GrpcPeer {
    private static final int MAX_MESSAGE = 128 << 20;
    private static final int NUMBERS = 4;

    private static final MethodDescriptor.Marshaller<byte[]> BYTES =
            new MethodDescriptor.Marshaller<>() {
                @Override
                public InputStream stream(byte[] value) {
                    return new ByteArrayInputStream(value);
                }

                @Override
                public byte[] parse(InputStream stream) {
                    try {
                        return stream.readAllBytes();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            };
    private static final MethodDescriptor<byte[], byte[]> ECHO = method("echo");
    private static final MethodDescriptor<byte[], byte[]> ADD = method("add");

    private GrpcPeer() {}

    private static MethodDescriptor<byte[], byte[]> method(String name) {
        return MethodDescriptor.newBuilder(BYTES, BYTES)
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("bench", name))
                .build();
    }

    /**
     * Run a rank. The last arguments are the rank, 0 for the client, and the server's address,
     * {@code HOST:PORT}; before them there may be the files of {@link GrpcTls}, to encrypt.
     */
    public static void main(String[] args) throws Exception {
        int last = args.length - 1;
        var tls = GrpcTls.ofArguments(List.of(args).subList(0, last - 1));
        InetSocketAddress address = Ports.address(args[last]);
        if (args[last - 1].equals("0")) {
            measure(address, tls);
        } else {
            serve(address, tls);
        }
    }

    private static void serve(InetSocketAddress address, Optional<GrpcTls> tls) throws IOException {
        Server server =
                NettyServerBuilder.forAddress(address)
                        .sslContext(tls.isPresent() ? tls.get().server() : null)
                        .maxInboundMessageSize(MAX_MESSAGE)
                        .addService(
                                ServerServiceDefinition.builder("bench")
                                        .addMethod(ECHO, unary(bytes -> bytes))
                                        .addMethod(ADD, unary(GrpcPeer::add))
                                        .build())
                        .build()
                        .start();
        ChildLoop.awaitEnd();
        server.shutdownNow();
    }

    private static io.grpc.ServerCallHandler<byte[], byte[]> unary(UnaryOperator<byte[]> function) {
        return ServerCalls.asyncUnaryCall((request, replies) -> {
            replies.onNext(function.apply(request));
            replies.onCompleted();
        });
    }

    private static byte[] add(byte[] request) {
        ByteBuffer in = ByteBuffer.wrap(request);
        ByteBuffer out = ByteBuffer.allocate(NUMBERS * Float.BYTES);
        for (int i = 0; i < NUMBERS; i++) {
            out.putFloat(in.getFloat(i * Float.BYTES) + in.getFloat((NUMBERS + i) * Float.BYTES));
        }
        return out.array();
    }

    private static void measure(InetSocketAddress address, Optional<GrpcTls> tls) throws Exception {
        NettyChannelBuilder builder =
                NettyChannelBuilder.forAddress(address).maxInboundMessageSize(MAX_MESSAGE);
        ManagedChannel channel =
                (tls.isPresent() ? builder.sslContext(tls.get().client()) : builder.usePlaintext())
                        .build();
        try {
            call(channel, ECHO, new byte[0]).get(30, TimeUnit.SECONDS); // until the server listens
            ChildLoop.serve(tasks(channel));
        } finally {
            channel.shutdownNow();
        }
    }

    private static Map<Metric, Workload> tasks(ManagedChannel channel) {
        byte[] one = new byte[NUMBERS * Float.BYTES];
        byte[] two = new byte[2 * NUMBERS * Float.BYTES];
        var workloads = new EnumMap<Metric, Workload>(Metric.class);
        workloads.put(Metric.SYNC_NOOP, latency(channel, ECHO, new byte[0]));
        workloads.put(Metric.SYNC_ECHO, latency(channel, ECHO, one));
        workloads.put(Metric.SYNC_ADD, latency(channel, ADD, two));
        workloads.put(Metric.ASYNC_ADD, Workload.rate(() -> call(channel, ADD, two)::get));
        workloads.put(Metric.ASYNC_ECHO, Workload.rate(() -> call(channel, ECHO, one)::get));
        workloads.put(Metric.NET_NOOP, latency(channel, ECHO, new byte[0]));
        workloads.put(Metric.NET_ADD, latency(channel, ADD, two));
        workloads.put(
                Metric.PACED_ASYNC,
                time ->
                        Timing.of(
                                PacedCalls.ofOneThread(
                                        time,
                                        done ->
                                                call(channel, ADD, two)
                                                        .addListener(done, Runnable::run))));
        workloads.put(
                Metric.PACED_SYNC,
                time -> Timing.of(PacedCalls.ofThreads(time, addition(channel))));
        for (Metric metric : Metric.values()) {
            if (metric.kind() == Metric.Kind.ECHO || metric == Metric.NET_ECHO_8_MIB) {
                workloads.put(metric, latency(channel, ECHO, new byte[(int) metric.work()]));
            }
        }
        return workloads;
    }

    /** {@return the call that adds numbers} */
    static Callable<byte[]> addition(ManagedChannel channel) {
        byte[] two = new byte[2 * NUMBERS * Float.BYTES];
        return () -> ClientCalls.blockingUnaryCall(channel, ADD, CallOptions.DEFAULT, two);
    }

    private static Workload latency(
            ManagedChannel channel, MethodDescriptor<byte[], byte[]> method, byte[] request) {
        return Workload.latency(
                () -> ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, request));
    }

    private static ListenableFuture<byte[]> call(
            ManagedChannel channel, MethodDescriptor<byte[], byte[]> method, byte[] request) {
        return ClientCalls.futureUnaryCall(
                channel.newCall(method, CallOptions.DEFAULT.withWaitForReady()), request);
    }
}
