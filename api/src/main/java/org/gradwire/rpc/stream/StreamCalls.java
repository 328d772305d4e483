package org.gradwire.rpc.stream;

import org.gradwire.rpc.Builtin;

import java.util.List;

/** The operators of streams, which run on the producer's worker on the value of a reference. */
@SuppressWarnings("DoNotCallSuggester") // method references name them; they are never called here
final class StreamCalls {

    private StreamCalls() {}

    /**
     * Make the source of a stream.
     *
     * @param values an iterator, a stream or a publisher
     * @param idleNanos time without a request after which the source is closed
     */
    @Builtin("gradwire::stream_open")
    static Object open(Object values, Long idleNanos) {
        throw remote();
    }

    /**
     * Take the values that are ready, after a wait for the first.
     *
     * @param number of the request, from 0; they are replied to in this order
     * @param credits for further values
     * @param waitNanos limit of the wait
     * @return whether these are the last ones, then the values
     */
    @Builtin("gradwire::stream_next")
    static List<Object> next(Object source, Long number, Integer credits, Long waitNanos) {
        throw remote();
    }

    /** Close a source. */
    @Builtin("gradwire::stream_close")
    static Boolean close(Object source) {
        throw remote();
    }

    private static UnsupportedOperationException remote() {
        return new UnsupportedOperationException("runs on the producer's worker");
    }
}
