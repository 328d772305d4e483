package org.gradwire.runtime.wire;

import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Encodes and decodes the messages of a worker. Outputs are pooled, since their creation costs more
 * than their use. Thread-safe.
 */
public final class WireCodec {
    private static final int KEPT = 16;
    private static final int HEADER_BYTES = 128;
    private static final int OPTIONAL_HEADERS_MASK = 0x1f;

    private final Values values;
    private final DecodingHeap heap;
    private final List<CallInterceptor>
            interceptors; // by ascending request type: the first is innermost
    private final AtomicReferenceArray<@Nullable WireOutput> idle =
            new AtomicReferenceArray<>(KEPT);

    public WireCodec(Values values, List<CallInterceptor> interceptors) {
        this(values, interceptors, DecodingHeap.ofProcess());
    }

    WireCodec(Values values, List<CallInterceptor> interceptors, DecodingHeap heap) {
        this.values = values;
        this.heap = heap;
        this.interceptors =
                interceptors.stream()
                        .sorted(Comparator.comparingInt(CallInterceptor::requestType))
                        .toList();
    }

    /** {@return the heap of inbound messages} */
    public DecodingHeap heap() {
        return heap;
    }

    public Values values() {
        return values;
    }

    public List<CallInterceptor> interceptors() {
        return interceptors;
    }

    /** Begin a message. The caller must return the output with {@link #giveBack}. */
    public WireOutput begin(int destination, boolean reply) {
        int slot = slot();
        WireOutput kept = idle.getAndSet(slot, null);
        return (kept == null ? new WireOutput(values) : kept).begin(destination, reply);
    }

    public void giveBack(WireOutput output) {
        if (output.reset()) {
            idle.set(slot(), output);
        }
    }

    private static int slot() {
        return (int) Thread.currentThread().threadId() & (KEPT - 1);
    }

    /**
     * A decoded message: the innermost type and body, and the headers around it, outermost first.
     */
    public record DecodedMessage(int type, WireInput body, List<Header> headers) {

        /**
         * Charge the whole message until it is released, because its reply follows later and other
         * messages of its peer may arrive meanwhile. Call on the thread that opened it, before
         * another thread reads it: objects that are read concurrently may be missed. Further calls
         * have no effect.
         *
         * @throws DecodingException if the peer exceeds its limit
         */
        public void keepOpen() {
            body.budget().keepOpen(body.heapBufferBytes());
        }

        /** End the charge of the message: it has its reply, or the program owns its values. */
        public void release() {
            body.budget().release();
        }
    }

    /** The header of an interceptor. */
    public record Header(CallInterceptor interceptor, WireInput content) {}

    /**
     * Decode a message. Headers without an interceptor here are skipped if their type permits it.
     *
     * @throws DecodingException if it is malformed
     */
    public DecodedMessage open(int source, Message message) {
        var budget = new DecodingBudget(heap, source, message.payload().length);
        try {
            budget.allocate(message.payload().length);
            return takeApart(source, message, budget);
        } catch (RuntimeException | Error e) {
            budget.release();
            throw e;
        }
    }

    private DecodedMessage takeApart(int source, Message message, DecodingBudget budget) {
        byte[] payload = message.payload();
        var attachments = new Attachments();
        List<Header> headers = List.of();
        int passedOver = 0; // a bit for each type
        int type = message.type();
        int end = payload.length;
        for (CallInterceptor interceptor;
                (interceptor = interceptorOf(type)) != null
                        || MessageTypes.isOptionalHeader(type); ) {
            int footer = end - WireOutput.FOOTER_BYTES;
            int start = footer < 1 ? -1 : WireNumbers.readFixedInt(payload, footer);
            if (start < 1 || start > footer) {
                throw new DecodingException("the header of a wrapped message is outside of it");
            }
            if (interceptor != null) {
                requireFirst(interceptor, headers);
                budget.allocate(HEADER_BYTES);
                headers = headers.isEmpty() ? new ArrayList<>(interceptors.size()) : headers;
                headers.add(
                        new Header(
                                interceptor,
                                new WireInput(
                                        values,
                                        source,
                                        payload,
                                        start,
                                        footer,
                                        message.buffers(),
                                        attachments,
                                        budget)));
            } else {
                passedOver = passOver(type, passedOver);
            }
            type = WireNumbers.readFixedInt(payload, footer + Integer.BYTES);
            end = start;
        }
        if (end < 1) {
            throw new DecodingException("the message is empty");
        }
        return new DecodedMessage(
                type,
                new WireInput(
                        values, source, payload, 1, end, message.buffers(), attachments, budget),
                headers);
    }

    /**
     * Reject a second header of one kind; otherwise a message could have any number of the small
     * headers.
     */
    private static void requireFirst(CallInterceptor interceptor, List<Header> headers) {
        for (int i = 0; i < headers.size(); i++) {
            if (headers.get(i).interceptor().equals(interceptor)) {
                throw twice(interceptor.requestType());
            }
        }
    }

    private static int passOver(int type, int passedOver) {
        int bit = 1 << (type & OPTIONAL_HEADERS_MASK);
        if ((passedOver & bit) != 0) {
            throw twice(type);
        }
        return passedOver | bit;
    }

    private static DecodingException twice(int type) {
        return new DecodingException(
                "the header %s comes twice in one message".formatted(MessageTypes.name(type)));
    }

    private @Nullable CallInterceptor interceptorOf(int type) {
        for (int i = 0; i < interceptors.size(); i++) { // no iterator: on the hot path
            CallInterceptor interceptor = interceptors.get(i);
            if (interceptor.requestType() == type || interceptor.replyType() == type) {
                return interceptor;
            }
        }
        return null;
    }
}
