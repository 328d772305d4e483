package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A message between workers: a type, opaque payload bytes, and buffers that are not copied into the
 * payload.
 *
 * <p><b>Ownership.</b> The payload and the buffers of an outgoing message must not change until the
 * backend calls {@link #release()}, which it does exactly once, after its last access: when they
 * were sent, or the sending was abandoned. An incoming message belongs to its receiver; its buffers
 * stay valid as long as they are reachable.
 */
public final class Message {
    private final int type;
    private final byte[] payload;
    private final List<MemorySegment> buffers;
    private volatile @Nullable Runnable onRelease; // null after it has run

    /** Create a message without a release action. */
    public Message(int type, byte[] payload, List<MemorySegment> buffers) {
        this(type, payload, buffers, null);
    }

    /**
     * Create a message.
     *
     * @param type one of {@link MessageTypes}, or of an extension
     * @param payload not copied
     * @param buffers of any kind: heap segments over arrays, or native ones; the list is not copied
     * @param onRelease runs once, at the release; must be short and must not throw
     */
    public Message(
            int type, byte[] payload, List<MemorySegment> buffers, @Nullable Runnable onRelease) {
        this.type = type;
        this.payload = Objects.requireNonNull(payload);
        this.buffers = Objects.requireNonNull(buffers);
        this.onRelease = onRelease;
    }

    /** {@return the message type, one of {@link MessageTypes} or an extension's} */
    public int type() {
        return type;
    }

    /** {@return the payload itself, not a copy} */
    public byte[] payload() {
        return payload;
    }

    /** {@return the buffers themselves, not copies} */
    public List<MemorySegment> buffers() {
        return buffers;
    }

    /** {@return the bytes of the payload and all buffers} */
    public long byteSize() {
        long size = payload.length;
        for (int i = 0; i < buffers.size(); i++) { // no iterator: on the hot path
            size += buffers.get(i).byteSize();
        }
        return size;
    }

    /** Release the memory of the message to its creator. Only the first call has an effect. */
    public void release() {
        if (onRelease == null) {
            return; // like most small messages
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
     * Return a message with the same contents and an additional release action, which runs after
     * this message's. This message must no longer be used.
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

    /**
     * Return a message with copies of the payload and the buffers, and without a release action.
     *
     * @param allocator of the copies of the buffers; a slice that ends within an element of its
     *     array becomes bytes
     */
    public Message copy(BufferAllocator allocator) {
        List<MemorySegment> copies = new ArrayList<>(buffers.size());
        for (MemorySegment buffer : buffers) {
            ElementKind kind = ElementKind.of(buffer);
            boolean isWhole = buffer.byteSize() % kind.bytes() == 0;
            copies.add(
                    allocator
                            .allocate(isWhole ? kind : ElementKind.RAW, buffer.byteSize())
                            .copyFrom(buffer));
        }
        return new Message(type, payload.clone(), copies);
    }

    @Override
    public String toString() {
        return "Message(type=%s, payload=%d bytes, buffers=%d)"
                .formatted(MessageTypes.name(type), payload.length, buffers.size());
    }
}
