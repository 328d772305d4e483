package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;

import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A frame that waits to be written, and what is done when its memory is read no more.
 *
 * @param id of the request
 * @param onRelease releases the message and gives back what it was charged
 */
record Outgoing(FrameHeader.Kind kind, long id, Message message, Runnable onRelease) {
    /** {@return a frame of a text, of which too long a rest is cut off} */
    static Outgoing text(FrameHeader.Kind kind, long id, int errorKind, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] shown = Arrays.copyOf(bytes, Math.min(bytes.length, FrameHeader.MAX_TEXT));
        return new Outgoing(kind, id, new Message(errorKind, shown, List.of()), () -> {});
    }

    /** {@return a sign of life} */
    static Outgoing heartbeat() {
        return text(FrameHeader.Kind.HEARTBEAT, 0, 0, "");
    }

    private List<MemorySegment> buffers() {
        return message.buffers();
    }

    /** {@return the bytes before the payload} */
    int headBytes() {
        return FrameHeader.BYTES + buffers().size() * BufferEntry.BYTES;
    }

    /** Write what comes before the payload. */
    void encodeHead(ByteBuf to) {
        new FrameHeader(kind, message.payload().length, id, message.type(), buffers().size())
                .encode(to);
        for (int i = 0; i < buffers().size(); i++) {
            MemorySegment buffer = buffers().get(i);
            to.writeLongLE(BufferEntry.of(ElementKind.of(buffer), buffer.byteSize()));
        }
    }

    void release() {
        onRelease.run();
    }
}
