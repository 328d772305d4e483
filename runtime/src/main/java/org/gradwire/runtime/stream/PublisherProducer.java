package org.gradwire.runtime.stream;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.Flow;

/** Requests values from a publisher. Thread-safe. */
final class PublisherProducer implements ValueProducer, Flow.Subscriber<Object> {
    private final Flow.Publisher<?> publisher;
    private final ValueSink sink;
    private Flow.@Nullable Subscription subscription; // these three guarded by this
    private long early; // requested before there is a subscription
    private boolean closed;

    PublisherProducer(Flow.Publisher<?> publisher, ValueSink sink) {
        this.publisher = publisher;
        this.sink = sink;
    }

    @Override
    public void start() {
        publisher.subscribe(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription made) {
        long requested;
        synchronized (this) {
            if (subscription != null || closed) {
                requested = -1;
            } else {
                subscription = made;
                requested = early;
            }
        }
        if (requested < 0) {
            made.cancel();
        } else if (requested > 0) {
            made.request(requested);
        }
    }

    @Override
    public void onNext(Object value) {
        sink.offer(value);
    }

    @Override
    public void onError(Throwable failure) {
        sink.end(failure);
    }

    @Override
    public void onComplete() {
        sink.end(null);
    }

    @Override
    public void request(long values) {
        Flow.Subscription made;
        synchronized (this) {
            made = closed ? null : subscription;
            if (subscription == null) {
                early += values;
            }
        }
        if (made != null && values > 0) {
            made.request(values);
        }
    }

    @Override
    public void close() {
        Flow.Subscription made;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            made = subscription;
        }
        if (made != null) {
            made.cancel();
        }
    }
}
