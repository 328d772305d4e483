package org.gradwire.runtime.stream;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.concurrent.Executor;
import java.util.stream.BaseStream;

/**
 * Takes values from an iterator on a thread of the worker, as long as there is demand. The iterator
 * is used by one thread at a time. Thread-safe.
 */
final class IteratorProducer implements ValueProducer {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rpc");

    private final Iterator<?> values;
    private final @Nullable AutoCloseable resource;
    private final ValueSink sink;
    private final Executor threads;
    private long demand; // these five guarded by this
    private boolean running;
    private boolean closed;
    private boolean released;
    private @Nullable Thread runner;

    private IteratorProducer(
            Iterator<?> values,
            @Nullable AutoCloseable resource,
            ValueSink sink,
            Executor threads) {
        this.values = values;
        this.resource = resource;
        this.sink = sink;
        this.threads = threads;
    }

    static IteratorProducer of(Iterator<?> values, ValueSink sink, Executor threads) {
        AutoCloseable resource = values instanceof AutoCloseable closeable ? closeable : null;
        return new IteratorProducer(values, resource, sink, threads);
    }

    static IteratorProducer of(BaseStream<?, ?> stream, ValueSink sink, Executor threads) {
        return new IteratorProducer(stream.iterator(), stream, sink, threads);
    }

    @Override
    public void request(long more) {
        synchronized (this) {
            demand += more;
            if (running || closed || demand == 0) {
                return;
            }
            running = true;
        }
        threads.execute(this::run);
    }

    private void run() {
        try {
            while (begin()) {
                if (!values.hasNext()) {
                    sink.end(null);
                    continue; // the sink has closed it
                }
                Object value = values.next();
                if (value == null) {
                    throw new NullPointerException("a stream cannot have the value null");
                }
                sink.offer(value);
            }
        } catch (Throwable failure) {
            sink.end(failure); // closes it
            stop();
        }
        closeResource();
    }

    /** Take one of the demanded values; {@return false if there is none} */
    private synchronized boolean begin() {
        if (closed || demand == 0) {
            stop();
            return false;
        }
        runner = Thread.currentThread();
        demand--;
        return true;
    }

    private synchronized void stop() {
        running = false;
        if (runner != null) {
            runner = null;
            Thread.interrupted();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (runner != null && !runner.equals(Thread.currentThread())) {
                runner.interrupt();
            }
        }
        closeResource(); // or the running thread does
    }

    /** Close the resource once, if the producer is closed and not running. */
    private void closeResource() {
        synchronized (this) {
            if (resource == null || !closed || running || released) {
                return;
            }
            released = true;
        }
        try {
            resource.close();
        } catch (Exception e) {
            LOGGER.log(System.Logger.Level.WARNING, "the source of a stream failed to close", e);
        }
    }
}
