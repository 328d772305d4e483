package org.gradwire.rpc.stream;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/** A stream whose values the consumer requests. Thread-safe. */
final class PulledStream<T> implements RemoteStream<T> {
    private final ValueWindow<T> window;
    private final AtomicBoolean read = new AtomicBoolean();

    private PulledStream(ValueWindow<T> window) {
        this.window = window;
    }

    static <T, R> RemoteStream<T> open(Rpc rpc, String to, Call<R> call, StreamOptions options) {
        Duration timeout = rpc.rpcTimeout().orElse(Duration.ofMinutes(1));
        RRef<R> values = rpc.remote(to, call);
        RRef<Object> source;
        try {
            source = values.remote(StreamCalls::open, ValueWindow.nanos(options.idleLimit()));
        } catch (RuntimeException failure) {
            values.close();
            throw failure;
        }
        var window = new ValueWindow<T>(values, source, options, timeout);
        window.start();
        window.requires(values.confirmation());
        window.requires(source.confirmation());
        return new PulledStream<>(window);
    }

    @Override
    public Iterator<T> iterator() {
        if (!read.compareAndSet(false, true)) {
            throw readTwice();
        }
        return new Values();
    }

    private static IllegalStateException readTwice() {
        return new IllegalStateException(
                "the stream has an iterator or a subscriber already; call the function again for another one");
    }

    @Override
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        if (read.compareAndSet(false, true)) {
            new Delivery<>(window, subscriber).start();
            return;
        }
        subscriber.onSubscribe(
                new Flow.Subscription() {
                    @Override
                    public void request(long n) {}

                    @Override
                    public void cancel() {}
                });
        subscriber.onError(readTwice());
    }

    @Override
    public void close() {
        window.close();
    }

    private final class Values implements Iterator<T> {
        private @Nullable T next;

        @Override
        public boolean hasNext() {
            if (next == null) {
                next = await();
            }
            return next != null;
        }

        private @Nullable T await() {
            while (true) {
                T value = window.poll();
                if (value != null) {
                    return value;
                }
                if (window.isEnded()) {
                    window.close();
                    return null;
                }
                awaitReply();
            }
        }

        private void awaitReply() {
            RpcFuture<List<Object>> first = window.first();
            try {
                if (first != null) {
                    first.join();
                }
            } catch (RuntimeException failure) {
                if (first != null && !first.isDone()) {
                    throw failure; // the thread was interrupted
                }
            }
            receive();
        }

        private void receive() {
            try {
                window.receive();
            } catch (RuntimeException failure) {
                window.close();
                throw failure;
            }
        }

        @Override
        public T next() {
            T value = hasNext() ? next : null;
            if (value == null) {
                throw new NoSuchElementException("the stream has ended");
            }
            next = null;
            return value;
        }
    }
}
