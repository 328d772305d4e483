package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;

import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A frame to be written.
 *
 * @param id of the request
 * @param onRelease called once when the memory of the message is no longer read
 */
record OutboundFrame(FrameHeader.Kind kind, long id, Message message, Runnable onRelease) {
    /** {@return a frame with a text, truncated to {@link FrameHeader#MAX_TEXT} bytes} */
    static OutboundFrame text(FrameHeader.Kind kind, long id, int errorKind, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] shown = Arrays.copyOf(bytes, Math.min(bytes.length, FrameHeader.MAX_TEXT));
        return new OutboundFrame(kind, id, new Message(errorKind, shown, List.of()), () -> {});
    }

    /** {@return a HEARTBEAT} */
    static OutboundFrame heartbeat() {
        return text(FrameHeader.Kind.HEARTBEAT, 0, 0, "");
    }

    /** {@return a RENEW} */
    static OutboundFrame renew() {
        return text(FrameHeader.Kind.RENEW, 0, 0, "");
    }

    private List<MemorySegment> buffers() {
        return message.buffers();
    }

    /** {@return number of bytes before the payload} */
    int headBytes() {
        return FrameHeader.BYTES + buffers().size() * BufferEntry.BYTES;
    }

    /** Write the header and the table of buffers. */
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
