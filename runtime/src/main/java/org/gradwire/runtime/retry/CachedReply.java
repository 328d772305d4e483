package org.gradwire.runtime.retry;

import org.gradwire.runtime.wire.SharedMessage;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The cache entry of one retried call of a peer: in progress, with the requests that wait for its
 * reply, or replied. The mutable state is guarded by the cache.
 */
public final class CachedReply {
    private static final BufferAllocator MEMORY = BufferAllocator.plain();

    private final ReplyCache cache;
    private final int caller;
    private final long id;
    private List<RepeatableRequest> waiting = new ArrayList<>(0);
    private boolean isReplied;
    private @Nullable Message reply;

    CachedReply(ReplyCache cache, int caller, long id) {
        this.cache = cache;
        this.caller = caller;
        this.id = id;
    }

    int caller() {
        return caller;
    }

    long id() {
        return id;
    }

    /**
     * Add a request that waits for the reply.
     *
     * @return false if the call has its reply already, kept or not
     */
    boolean await(RepeatableRequest request) {
        if (!isReplied) {
            waiting.add(request);
        }
        return !isReplied;
    }

    /**
     * Set the reply; null if it is not kept.
     *
     * @return the requests that wait for it
     */
    List<RepeatableRequest> end(@Nullable Message kept) {
        List<RepeatableRequest> all = waiting;
        waiting = List.of();
        isReplied = true;
        reply = kept;
        return all;
    }

    void forget() {
        reply = null;
    }

    long byteSize() {
        return reply == null ? 0 : reply.byteSize();
    }

    /** {@return the reply for another request; null if it is not kept} */
    @Nullable Message copy() {
        Message kept = reply;
        return kept == null ? null : new Message(kept.type(), kept.payload(), kept.buffers());
    }

    /** Reply to the first request, and to those that arrived meanwhile. */
    public void reply(Message message, ReplySink first) {
        List<RepeatableRequest> others =
                cache.replied(this, cache.fits(message) ? copyOf(message) : null);
        if (others.isEmpty()) {
            first.reply(message);
            return;
        }
        var shared = new SharedMessage(message);
        first.reply(shared.copy());
        others.forEach(other -> other.repeat(shared.copy()));
        shared.release();
    }

    /**
     * Copy a message, because its buffers may change after it is sent; null if there is no memory.
     */
    private static @Nullable Message copyOf(Message message) {
        List<MemorySegment> copies = new ArrayList<>(message.buffers().size());
        try {
            for (MemorySegment buffer : message.buffers()) {
                copies.add(
                        MEMORY.allocate(ElementKind.of(buffer), buffer.byteSize())
                                .copyFrom(buffer));
            }
        } catch (OutOfMemoryError _) {
            return null;
        }
        return new Message(message.type(), message.payload(), copies);
    }
}
