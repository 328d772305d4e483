package org.gradwire.bench;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One of the two processes that measure the machine's limit: they echo bytes through Aeron's
 * shared-memory logs. The measuring process always spins; the other only while it has work.
 */
public final class AeronPeer {
    private static final String CHANNEL = "aeron:ipc?term-length=16m|mtu=65504";
    private static final int THERE = 1;
    private static final int BACK = 2;
    private static final int SMALL = 64;

    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final BufferClaim claim = new BufferClaim();
    private final UnsafeBuffer memory = new UnsafeBuffer(new byte[1 << 20]);

    private AeronPeer(Aeron aeron, int outStream, int inStream) {
        publication = aeron.addExclusivePublication(CHANNEL, outStream);
        subscription = aeron.addSubscription(CHANNEL, inStream);
    }

    /** Run rank {@code args[0]}, with the media driver in the directory {@code args[1]}. */
    public static void main(String[] args) throws Exception {
        var context = new Aeron.Context().aeronDirectoryName(args[1]);
        context.driverTimeoutMs(TimeUnit.SECONDS.toMillis(30));
        if (args[0].equals("0")) {
            try (Aeron aeron = Aeron.connect(context)) {
                var peer = new AeronPeer(aeron, THERE, BACK);
                peer.awaitConnected();
                ChildLoop.serve(peer.tasks());
            }
        } else {
            try (var _ = MediaDriver.launch(driver(args[1]));
                    Aeron aeron = Aeron.connect(context)) {
                Thread.ofPlatform().daemon().start(new AeronPeer(aeron, BACK, THERE)::echo);
                ChildLoop.awaitEnd();
            }
        }
    }

    private static MediaDriver.Context driver(String folder) {
        return new MediaDriver.Context()
                .aeronDirectoryName(folder)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new BackoffIdleStrategy(0, 0, 100_000, 1_000_000));
    }

    private void awaitConnected() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!publication.isConnected() || !subscription.isConnected()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the other process does not connect");
            }
            Thread.sleep(1);
        }
    }

    private void echo() {
        var idle = new BackoffIdleStrategy(0, 20_000, 100_000, 1_000_000);
        while (true) {
            idle.idle(
                    subscription.poll(
                            (buffer, offset, length, _) -> {
                                memory.putBytes(0, buffer, offset, length);
                                send(length);
                            },
                            16));
        }
    }

    private void send(int length) {
        while (publication.tryClaim(length, claim) < 0) {
            Thread.onSpinWait();
        }
        claim.buffer().putBytes(claim.offset(), memory, 0, length);
        claim.commit();
    }

    private int receive() {
        int[] bytes = new int[1];
        while (bytes[0] == 0) {
            int frames =
                    subscription.poll(
                            (buffer, offset, length, _) -> {
                                memory.putBytes(0, buffer, offset, length);
                                bytes[0] += length;
                            },
                            1);
            if (frames == 0) {
                Thread.onSpinWait();
            }
        }
        return bytes[0];
    }

    private Map<Metric, Workload> tasks() {
        var workloads = new EnumMap<Metric, Workload>(Metric.class);
        for (Metric metric : new Metric[] {Metric.SYNC_ADD, Metric.SYNC_NOOP, Metric.SYNC_ECHO}) {
            workloads.put(metric, Workload.latency(() -> roundTrip(SMALL)));
        }
        for (Metric metric : new Metric[] {Metric.ASYNC_ADD, Metric.ASYNC_ECHO}) {
            workloads.put(metric, Workload.rate(this::start));
        }
        byte[] from = new byte[(int) Metric.MIXED_NOOP.work()];
        byte[] to = new byte[from.length];
        workloads.put(
                Metric.MIXED_NOOP,
                BackgroundLoad.under(
                        () -> System.arraycopy(from, 0, to, 0, from.length),
                        () -> roundTrip(SMALL)));
        workloads.put(
                Metric.ECHO_64_KIB,
                Workload.latency(() -> roundTrip((int) Metric.ECHO_64_KIB.work())));
        return workloads;
    }

    private Workload.Call start() {
        send(SMALL);
        return this::receive;
    }

    private void roundTrip(int length) {
        int frame = publication.maxPayloadLength();
        for (int sent = 0; sent < length; sent += frame) {
            send(Math.min(frame, length - sent));
        }
        for (int received = 0; received < length; ) {
            received += receive();
        }
    }
}
