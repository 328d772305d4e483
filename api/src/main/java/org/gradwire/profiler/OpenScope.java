package org.gradwire.profiler;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** The scope of an event that is still running. */
final class OpenScope implements Scope {
    private final ProfilerState outside;
    private final ProfilerState inside;
    private final String name;
    private final List<List<Integer>> shapes;
    private final long threadId = Thread.currentThread().threadId();
    private final long id;
    private final AtomicLong allocated = new AtomicLong();
    private final AtomicBoolean detached = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final long startNanos;

    private OpenScope(ProfilerState outside, String name, List<List<Integer>> shapes) {
        this.outside = outside;
        this.name = name;
        this.shapes = shapes;
        this.id = outside.recording().nextId();
        this.inside = outside.within(this);
        this.startNanos = System.nanoTime();
    }

    /** Begin an event, and enter it on this thread. */
    static OpenScope open(ProfilerState outside, String name, List<List<Integer>> shapes) {
        var scope = new OpenScope(outside, name, shapes);
        scope.inside.enter();
        return scope;
    }

    long id() {
        return id;
    }

    void allocated(long bytes) {
        allocated.addAndGet(bytes);
    }

    @Override
    public <T extends @Nullable Object> RpcFuture<T> endWhenDone(RpcFuture<T> future) {
        tellOnce("Scope.endWhenDone");
        return future.whenDone(this::end);
    }

    @Override
    public Runnable detach() {
        tellOnce("Scope.detach");
        leave();
        return this::end;
    }

    private void tellOnce(String method) {
        if (!detached.compareAndSet(false, true)) {
            throw new RpcException(
                    "%s can only be called once: the end of scope '%s' is set already"
                            .formatted(method, name));
        }
    }

    @Override
    public void close() {
        if (!detached.get()) {
            end();
        }
        leave();
    }

    private void leave() {
        if (ProfilerState.current() == inside) {
            outside.enter();
        }
    }

    private void end() {
        if (ended.compareAndSet(false, true)) {
            long endNanos = System.nanoTime();
            Recording recording = outside.recording();
            recording.add(
                    new ProfilerEvent(
                            id,
                            outside.eventId(),
                            name,
                            recording.instant(startNanos),
                            Duration.ofNanos(endNanos - startNanos),
                            recording.nodeId(),
                            threadId,
                            false,
                            detached.get(),
                            shapes,
                            allocated.get()));
        }
    }
}
