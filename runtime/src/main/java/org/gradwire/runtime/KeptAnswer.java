package org.gradwire.runtime;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * One call of a peer that may come again: under way, with the requests that wait for its answer; or
 * answered. The mutable state is guarded by the table.
 */
final class KeptAnswer {
    private static final BufferAllocator MEMORY = BufferAllocator.plain();

    private final KeptAnswers table;
    private final int caller;
    private final long id;
    private List<Exchange> waiting = new ArrayList<>(0);
    private boolean isAnswered;
    private @Nullable Message answer;

    KeptAnswer(KeptAnswers table, int caller, long id) {
        this.table = table;
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
     * Let a request wait for the answer.
     *
     * @return whether it does; otherwise the answer is there, or was
     */
    boolean await(Exchange exchange) {
        if (!isAnswered) {
            waiting.add(exchange);
        }
        return !isAnswered;
    }

    /**
     * Keep the answer.
     *
     * @return the requests that wait for it
     */
    List<Exchange> end(@Nullable Message kept) {
        List<Exchange> all = waiting;
        waiting = List.of();
        isAnswered = true;
        answer = kept;
        return all;
    }

    void forget() {
        answer = null;
    }

    long byteSize() {
        return answer == null ? 0 : answer.byteSize();
    }

    /** {@return the answer for one more request; null when it is not kept} */
    @Nullable Message copy() {
        Message kept = answer;
        return kept == null ? null : new Message(kept.type(), kept.payload(), kept.buffers());
    }

    /** Answer the request that was run, and those that came meanwhile. */
    void reply(Message message, ReplySink first) {
        List<Exchange> others = table.answered(this, table.fits(message) ? copyOf(message) : null);
        if (others.isEmpty()) {
            first.reply(message);
            return;
        }
        var shared = new SharedMessage(message);
        first.reply(shared.copy());
        others.forEach(other -> other.repeat(shared.copy()));
        shared.release();
    }

    /** Copy a message whose buffers may change once it was sent; null when there is no memory. */
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
