package org.gradwire.rpc.stream;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.Rpc;

import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

/**
 * The values of a function on another worker, which arrive in order while that worker makes them.
 *
 * <p>The function is a remote function that returns an {@link Iterator}, a {@link Stream} or a
 * {@link Flow.Publisher}. Its values may be of any type that can be sent, tensors and references
 * included, but not null. Each arrives once.
 *
 * {@snippet :
 * try (RemoteStream<Batch> batches = RemoteStream.ofIterator(rpc, "loader0", Call.to(Jobs::batches, 7L))) {
 *     for (Batch batch : batches) {
 *         train(batch);
 *     }
 * }
 * }
 *
 * <p><b>Flow control.</b> The consumer grants the producer credits ({@link StreamOptions#credits}),
 * one for each value that it has room for, and grants another one for each value that the program
 * takes. The producer makes no value without a credit: it asks an iterator or a stream for no more
 * values, and a publisher for exactly as many. Several messages with values are in flight.
 *
 * <p><b>Ends.</b> The stream ends with the last value. It fails with the exception of the function,
 * or of the iterator, stream or publisher, after the values before it; when the producer's worker
 * is lost; and when nothing happens for {@link StreamOptions#idleLimit}. {@link #close} ends it
 * early: the producer's thread is interrupted, its subscription is cancelled, and a stream, or an
 * iterator that is {@link AutoCloseable}, is closed. The same happens at the end, when the
 * consumer's worker is lost, and when the consumer forgets the stream, after the garbage collector
 * has found it.
 *
 * <p><b>Consumers.</b> A stream is read once: by one iterator or by one subscriber. An iterator
 * belongs to one thread, which it blocks while it waits. A subscriber is called sequentially, on
 * threads of the worker or on the one that requests values. {@link #close} may be called from any
 * thread. References among the values belong to the program, which closes them; those in values
 * that it does not take are closed if they are the values themselves, or else left to the
 * collector.
 *
 * <p><b>Gradients.</b> Values are not recorded in autograd contexts.
 *
 * @param <T> type of the values
 */
public interface RemoteStream<T> extends Flow.Publisher<T>, Iterable<T>, AutoCloseable {

    /**
     * Call a function that returns an iterator; {@link #ofIterator(Rpc, String, Call,
     * StreamOptions)}.
     */
    static <T> RemoteStream<T> ofIterator(
            Rpc rpc, String to, Call<? extends Iterator<? extends T>> call) {
        return ofIterator(rpc, to, call, StreamOptions.DEFAULT);
    }

    /**
     * Call a function that returns an iterator, and receive its values. Returns at once.
     *
     * @param to name of the worker that runs the function
     * @throws IllegalArgumentException if the arguments do not fit the function's schema or cannot
     *     be sent
     * @throws org.gradwire.rpc.RpcException if the group has no such worker; a refusal or a failure
     *     of the function is thrown here only if it is known already, else by the stream
     */
    static <T> RemoteStream<T> ofIterator(
            Rpc rpc, String to, Call<? extends Iterator<? extends T>> call, StreamOptions options) {
        return PulledStream.open(rpc, to, call, options);
    }

    /**
     * Call a function that returns a stream; {@link #ofStream(Rpc, String, Call, StreamOptions)}.
     */
    static <T> RemoteStream<T> ofStream(
            Rpc rpc, String to, Call<? extends Stream<? extends T>> call) {
        return ofStream(rpc, to, call, StreamOptions.DEFAULT);
    }

    /**
     * Call a function that returns a stream, and receive its values. Returns at once.
     *
     * @see #ofIterator(Rpc, String, Call, StreamOptions)
     */
    static <T> RemoteStream<T> ofStream(
            Rpc rpc, String to, Call<? extends Stream<? extends T>> call, StreamOptions options) {
        return PulledStream.open(rpc, to, call, options);
    }

    /**
     * Call a function that returns a publisher; {@link #ofPublisher(Rpc, String, Call,
     * StreamOptions)}.
     */
    static <T> RemoteStream<T> ofPublisher(
            Rpc rpc, String to, Call<? extends Flow.Publisher<? extends T>> call) {
        return ofPublisher(rpc, to, call, StreamOptions.DEFAULT);
    }

    /**
     * Call a function that returns a publisher, and receive its values. Returns at once.
     *
     * @see #ofIterator(Rpc, String, Call, StreamOptions)
     */
    static <T> RemoteStream<T> ofPublisher(
            Rpc rpc,
            String to,
            Call<? extends Flow.Publisher<? extends T>> call,
            StreamOptions options) {
        return PulledStream.open(rpc, to, call, options);
    }

    /**
     * Return an iterator of the values, whose {@link Iterator#hasNext} waits for the next one.
     *
     * @throws IllegalStateException if the stream has an iterator or a subscriber already
     */
    @Override
    Iterator<T> iterator();

    /**
     * Send the values to a subscriber, as it requests them. If the stream has an iterator or a
     * subscriber already, it gets an {@link IllegalStateException} in {@link
     * Flow.Subscriber#onError}.
     */
    @Override
    void subscribe(Flow.Subscriber<? super T> subscriber);

    /**
     * End the stream. A waiting iterator has no further value, and a subscriber gets nothing more.
     * Further calls do nothing. Does not wait.
     */
    @Override
    void close();
}
