package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;

import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Frames are written in order, small ones together, and each is released exactly once. */
class LaneWriterTest {
    private static final int MIB = 1024 * 1024;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private static final PollerPolicy POLICY =
            new PollerPolicy(new PendingCalls(System.nanoTime()), Thread.currentThread());

    private final LaneWriter writer = new LaneWriter(channel, POLICY);
    private final AtomicInteger released = new AtomicInteger();

    private OutboundFrame request(long id, byte[] payload, MemorySegment... buffers) {
        var message = new Message(TestGroup.REQUEST, payload, List.of(buffers));
        return new OutboundFrame(FrameHeader.Kind.REQUEST, id, message, released::incrementAndGet);
    }

    private List<byte[]> written() {
        List<byte[]> written = new ArrayList<>();
        for (ByteBuf bytes; (bytes = channel.readOutbound()) != null; ) {
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            bytes.release();
            if (copy.length > 0) {
                written.add(copy);
            }
        }
        return written;
    }

    private static byte[] joined(List<byte[]> parts) {
        var all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    @Test
    void smallFramesAreWrittenTogether() {
        for (int id = 0; id < 10; id++) {
            writer.add(request(id, new byte[] {(byte) id}));
        }
        assertEquals(0, released.get());
        channel.runPendingTasks();
        assertEquals(10, released.get());
        List<byte[]> written = written();
        assertEquals(1, written.size());
        assertEquals(10 * (FrameHeader.BYTES + 1), written.getFirst().length);
        for (int id = 0; id < 10; id++) {
            assertEquals(id, written.getFirst()[id * (FrameHeader.BYTES + 1) + FrameHeader.BYTES]);
        }
    }

    @Test
    void aLargeFrameIsReleasedWhenItIsWritten() {
        byte[] pattern = new byte[3 * MIB + 5];
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = (byte) (i * 7);
        }
        try (var arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(pattern.length);
            memory.copyFrom(MemorySegment.ofArray(pattern));
            writer.add(request(1, new byte[] {9}, memory, MemorySegment.ofArray(pattern)));
            writer.add(request(2, new byte[0]));
            channel.runPendingTasks();
            byte[] all = joined(written());
            assertEquals(2, released.get());
            int head = FrameHeader.BYTES + 2 * BufferEntry.BYTES + 1;
            assertEquals(head + 2 * pattern.length + FrameHeader.BYTES, all.length);
            for (int at : new int[] {head, head + pattern.length}) {
                assertArrayEquals(
                        pattern, java.util.Arrays.copyOfRange(all, at, at + pattern.length));
            }
        }
    }

    /** A connection whose peer does not read: written bytes stay queued. */
    private static final class Stopped extends ChannelOutboundHandlerAdapter {
        @Override
        public void flush(ChannelHandlerContext context) {
            // the socket accepts no bytes
        }

        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            // like TLS, which first waits until the written bytes are sent
        }
    }

    @Test
    void memoryIsNotReleasedWhileTheChannelMayReadIt() {
        channel.pipeline().addFirst(new Stopped());
        try (var arena = Arena.ofShared()) {
            writer.add(request(1, new byte[0], arena.allocate(64L * MIB)));
            writer.add(request(2, new byte[] {1}));
            channel.runPendingTasks();
            assertEquals(0, released.get(), "the peer does not read");
            writer.close();
            assertEquals(1, released.get(), "only what was not begun");
            channel.pipeline().removeFirst();
            var _ = channel.close();
            channel.runPendingTasks();
            assertEquals(2, released.get());
        }
    }

    @Test
    void framesAfterTheEndAreReleasedOnly() {
        writer.add(request(1, new byte[] {1}));
        writer.close();
        assertEquals(1, released.get());
        writer.add(request(2, new byte[] {1}));
        writer.add(request(3, new byte[0], MemorySegment.ofArray(new byte[MIB])));
        channel.runPendingTasks();
        assertEquals(3, released.get());
        assertTrue(written().isEmpty());
    }

    @Test
    void framesAfterTheEndOfTheLoopAreReleasedOnly() throws Exception {
        var loop = new DefaultEventLoop();
        var late = new io.netty.channel.local.LocalChannel();
        loop.register(late).sync();
        var lateWriter = new LaneWriter(late, POLICY);
        assertTrue(loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS));
        lateWriter.add(request(1, new byte[] {1}));
        lateWriter.add(request(2, new byte[] {1}));
        assertEquals(2, released.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, MIB})
    void memoryThatMayNotBeReadEndsTheLaneAndIsReleasedOnce(int bytes) {
        MemorySegment closed;
        try (var arena = Arena.ofShared()) {
            closed = arena.allocate(bytes);
        }
        writer.add(request(1, new byte[] {1}, closed));
        channel.runPendingTasks();
        var thrown = assertThrows(IllegalStateException.class, channel::checkException);
        assertTrue(String.valueOf(thrown.getMessage()).contains("closed"), thrown::toString);
        writer.close();
        var _ = channel.close();
        channel.runPendingTasks();
        assertEquals(1, released.get());
    }

    @Test
    void aFrameThatHasNoBytesBesidesItsHeadIsWritten() {
        writer.addLast(OutboundFrame.heartbeat());
        assertEquals(FrameHeader.BYTES, joined(written()).length);
        assertNull(channel.readOutbound());
    }
}
