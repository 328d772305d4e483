package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Any thread can run the loop, one at a time, and no task or event is lost between them. */
@Timeout(60)
class SharedEventLoopTest {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final AtomicInteger iterations = new AtomicInteger();
    private final SharedEventLoop loop =
            new SharedEventLoop(
                    TransportChoice.CHOSEN.handlers(),
                    () -> {
                        iterations.incrementAndGet();
                        return 0;
                    });

    @AfterEach
    void end() {
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        while (!loop.isTerminated()) {
            loop.tryRun(0);
        }
    }

    @Test
    void theThreadInTheLoopIsItsThread() throws Exception {
        assertFalse(loop.inEventLoop());
        var isInside = new AtomicBoolean();
        loop.execute(() -> isInside.set(loop.inEventLoop()));
        assertEquals(1, loop.tryRun(0));
        assertTrue(isInside.get());
        isInside.set(false);
        loop.execute(() -> isInside.set(loop.inEventLoop()));
        Thread.ofVirtual().start(() -> loop.tryRun(0)).join();
        assertTrue(isInside.get());
        assertFalse(loop.inEventLoop());
        assertEquals(2, iterations.get());
    }

    @Test
    void aSecondThreadDoesNotEnter() throws Exception {
        var isIn = new CountDownLatch(1);
        var mayLeave = new CountDownLatch(1);
        loop.execute(() -> {
            isIn.countDown();
            awaitQuietly(mayLeave);
        });
        Thread first = Thread.ofPlatform().start(() -> loop.tryRun(0));
        isIn.await();
        assertEquals(SharedEventLoop.BUSY, loop.tryRun(LONG_NANOS));
        var isRun = new AtomicBoolean();
        loop.execute(() -> isRun.set(true));
        loop.tryRunTasks();
        assertFalse(isRun.get());
        mayLeave.countDown();
        first.join();
        assertTrue(isRun.get(), "the first thread runs what was submitted meanwhile");
    }

    @Test
    void theThreadInTheLoopDoesNotEnterAgain() {
        var inner = new AtomicInteger();
        loop.execute(() -> inner.set(loop.tryRun(0)));
        assertEquals(1, loop.tryRun(0));
        assertEquals(SharedEventLoop.BUSY, inner.get());
    }

    @Test
    void aTaskEndsTheWaitForEvents() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            var isRun = new AtomicBoolean();
            Thread waiter =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!isRun.get()) {
                                    loop.tryRun(LONG_NANOS);
                                }
                            });
            loop.execute(() -> isRun.set(true));
            waiter.join();
        }
    }

    @Test
    void theEndOfTheLoopEndsTheWaitForEvents() throws Exception {
        for (int i = 0; i < 200; i++) {
            var ending = new SharedEventLoop(TransportChoice.CHOSEN.handlers(), () -> 0);
            Thread waiter =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!ending.isTerminated()) {
                                    ending.tryRun(LONG_NANOS);
                                }
                            });
            var _ = ending.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            waiter.join();
        }
    }

    @Test
    void scheduledTasksEndTheWaitForEvents() {
        long start = System.nanoTime();
        var isRun = new AtomicBoolean();
        var _ = loop.schedule(() -> isRun.set(true), 20, TimeUnit.MILLISECONDS);
        while (!isRun.get()) {
            loop.tryRun(LONG_NANOS);
        }
        long nanos = System.nanoTime() - start;
        assertTrue(nanos >= TimeUnit.MILLISECONDS.toNanos(20), nanos + " ns");
        assertTrue(nanos < LONG_NANOS, nanos + " ns");
    }

    @Test
    void tasksOfManyThreadsRunOnceInOrderWhileManyThreadsRunTheLoop() throws Exception {
        int senders = 3;
        int count = 20_000;
        List<List<Integer>> received = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        var left = new AtomicInteger(senders * count);
        for (int s = 0; s < senders; s++) {
            List<Integer> mine = new ArrayList<>();
            received.add(mine);
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < count; i++) {
                                    int value = i;
                                    loop.execute(() -> {
                                        mine.add(value);
                                        left.decrementAndGet();
                                    });
                                }
                            }));
        }
        for (int r = 0; r < 2; r++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                while (left.get() > 0) {
                                    loop.tryRun(0);
                                    loop.tryRunTasks();
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (List<Integer> mine : received) {
            assertEquals(count, mine.size());
            for (int i = 0; i < count; i++) {
                assertEquals(i, mine.get(i));
            }
        }
    }

    /** The selector and the sockets of the JDK close when an interrupted thread blocks in them. */
    @Test
    void anInterruptedThreadRunsTheLoopWithoutHarm() throws Exception {
        var echoed = new AtomicInteger();
        Channel listening = listen();
        Channel client = connect(listening, echoed);
        Thread.currentThread().interrupt();
        try {
            for (int i = 1; i <= 100; i++) {
                var _ = client.writeAndFlush(Unpooled.buffer(1).writeByte(i));
                while (echoed.get() < i) {
                    loop.tryRun(0);
                }
            }
            assertTrue(Thread.currentThread().isInterrupted());
        } finally {
            Thread.interrupted();
        }
        assertTrue(client.isActive());
    }

    private Channel listen() throws Exception {
        var bound =
                new ServerBootstrap()
                        .group(loop)
                        .channel(TransportChoice.CHOSEN.serverSocket())
                        .childHandler(
                                new ChannelInboundHandlerAdapter() {
                                    @Override
                                    public void channelRead(
                                            ChannelHandlerContext context, Object read) {
                                        var _ = context.writeAndFlush(read);
                                    }
                                })
                        .bind(InetAddress.getLoopbackAddress(), 0);
        while (!bound.isDone()) {
            loop.tryRun(0);
        }
        return bound.sync().channel();
    }

    private Channel connect(Channel to, AtomicInteger echoed) throws Exception {
        var connected =
                new Bootstrap()
                        .group(loop)
                        .channel(TransportChoice.CHOSEN.socket())
                        .handler(
                                new ChannelInboundHandlerAdapter() {
                                    @Override
                                    public void channelRead(
                                            ChannelHandlerContext context, Object read) {
                                        var bytes = (ByteBuf) read;
                                        echoed.addAndGet(bytes.readableBytes());
                                        bytes.release();
                                    }
                                })
                        .connect(to.localAddress());
        while (!connected.isDone()) {
            loop.tryRun(0);
        }
        return connected.sync().channel();
    }

    @Test
    void theEndClosesTheChannelsAndRefusesTasks() throws Exception {
        Channel listening = listen();
        var isRun = new AtomicBoolean();
        loop.execute(() -> isRun.set(true));
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        assertTrue(loop.isShuttingDown());
        while (!loop.isTerminated()) {
            loop.tryRun(0);
        }
        assertTrue(isRun.get(), "tasks submitted before the end run");
        assertFalse(listening.isOpen());
        assertThrows(RejectedExecutionException.class, () -> loop.execute(() -> {}));
        assertTrue(loop.awaitTermination(1, TimeUnit.SECONDS));
        assertEquals(0, loop.tryRun(LONG_NANOS), "an ended loop does not wait");
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        assertTrue(loop.isShutdown());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
