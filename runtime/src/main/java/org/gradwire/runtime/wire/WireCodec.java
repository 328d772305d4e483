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
 * Makes and reads the messages of one worker. Outputs are kept for reuse, since making a wire costs
 * more than using it.
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

    /** {@return what messages of peers take while they are decoded and answered} */
    public DecodingHeap heap() {
        return heap;
    }

    public Values values() {
        return values;
    }

    public List<CallInterceptor> interceptors() {
        return interceptors;
    }

    /** Begin a message. Give the output back when it is done. */
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
     * A message taken apart: the innermost type and body, and the headers around it, outermost
     * first.
     */
    public record Opened(int type, WireInput body, List<Header> headers) {

        /**
         * The message is not answered at once, so others of its peer come meanwhile: all of it
         * counts until it is released. On the thread that opened it, at best before another one
         * reads it: what that one reads at the same time may not count. Only the first call does
         * anything.
         *
         * @throws DecodingException when the peer has too much open
         */
        public void keepOpen() {
            body.budget().keepOpen(body.heapBufferBytes());
        }

        /** The message is answered, or its values are the program's: they count no more. */
        public void release() {
            body.budget().release();
        }
    }

    /** The header that an interceptor left. */
    public record Header(CallInterceptor interceptor, WireInput content) {}

    /**
     * Take a message apart. Headers that no interceptor here reads are passed over where their type
     * permits it.
     *
     * @throws DecodingException when its layout is wrong
     */
    public Opened open(int source, Message message) {
        var budget = new DecodingBudget(heap, source, message.payload().length);
        try {
            budget.allocate(message.payload().length);
            return takeApart(source, message, budget);
        } catch (RuntimeException | Error e) {
            budget.release();
            throw e;
        }
    }

    private Opened takeApart(int source, Message message, DecodingBudget budget) {
        byte[] payload = message.payload();
        var notes = new Notes();
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
                throw new DecodingException("the header of a wrapped message lies outside of it");
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
                                        notes,
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
        return new Opened(
                type,
                new WireInput(values, source, payload, 1, end, message.buffers(), notes, budget),
                headers);
    }

    /** A few bytes of a message stand for a header, so without this it could have any number. */
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
        for (int i = 0; i < interceptors.size(); i++) { // no iterator, as this is done often
            CallInterceptor interceptor = interceptors.get(i);
            if (interceptor.requestType() == type || interceptor.replyType() == type) {
                return interceptor;
            }
        }
        return null;
    }
}
