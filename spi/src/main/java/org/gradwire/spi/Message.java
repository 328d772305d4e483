package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * What a backend moves: a type, opaque payload bytes, and buffers that are kept out of the payload
 * so that they need not be copied into it.
 *
 * <p><b>Ownership.</b> The payload and the buffers of an outgoing message must not change until the
 * backend calls {@link #release()}, which it does exactly once, when it will read them no more:
 * after they were sent, or the sending was given up. An incoming message belongs to its receiver;
 * its buffers stay valid as long as they are reachable.
 */
public final class Message {
    private final int type;
    private final byte[] payload;
    private final List<MemorySegment> buffers;
    private volatile @Nullable Runnable onRelease; // null once it was run

    /** Create a message whose release interests nobody. */
    public Message(int type, byte[] payload, List<MemorySegment> buffers) {
        this(type, payload, buffers, null);
    }

    /**
     * Create a message.
     *
     * @param type one of {@link MessageTypes}, or an extension's
     * @param payload not copied
     * @param buffers of any kind: heap segments over arrays, or native ones; the list is not copied
     * @param onRelease run once, at the release; must be short and must not throw
     */
    public Message(
            int type, byte[] payload, List<MemorySegment> buffers, @Nullable Runnable onRelease) {
        this.type = type;
        this.payload = Objects.requireNonNull(payload);
        this.buffers = Objects.requireNonNull(buffers);
        this.onRelease = onRelease;
    }

    public int type() {
        return type;
    }

    /** {@return the payload itself, not a copy} */
    public byte[] payload() {
        return payload;
    }

    public List<MemorySegment> buffers() {
        return buffers;
    }

    /** {@return the bytes of the payload and all buffers} */
    public long byteSize() {
        long size = payload.length;
        for (int i = 0; i < buffers.size(); i++) { // no iterator, as this is asked often
            size += buffers.get(i).byteSize();
        }
        return size;
    }

    /**
     * Tell the message's maker that its memory is read no more. Only the first call does anything.
     */
    public void release() {
        if (onRelease == null) {
            return; // as for most small messages
        }
        Runnable action;
        synchronized (this) {
            action = onRelease;
            onRelease = null;
        }
        if (action != null) {
            action.run();
        }
    }

    /**
     * Return a message of the same contents whose release is this one's, followed by an action.
     * This one must not be used any more.
     *
     * @param action must be short and must not throw
     */
    public Message onRelease(Runnable action) {
        return new Message(
                type,
                payload,
                buffers,
                () -> {
                    release();
                    action.run();
                });
    }

    @Override
    public String toString() {
        return "Message(type=%s, payload=%d bytes, buffers=%d)"
                .formatted(MessageTypes.name(type), payload.length, buffers.size());
    }
}
