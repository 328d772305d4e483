package org.gradwire.runtime.future;

import org.gradwire.profiler.Profiler;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.simulation.Simulation;
import org.gradwire.runtime.simulation.Wait;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The implementation of {@link RpcFuture}. Thread-safe.
 *
 * <p>A waiting thread first polls the worker's agent for a short while, since most replies arrive
 * within microseconds and a thread switch takes longer; then it parks.
 */
public final class CallFuture<T extends @Nullable Object> implements RpcPromise<T> {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.future");
    private static final long POLL_NANOS = 600_000;
    private static final long VIRTUAL_POLL_NANOS = 10_000;

    /** The value null. */
    private static final Object NOTHING = new Object();

    /** A failure. */
    private record Failed(RuntimeException failure) {}

    /** A listener of the end of a future, called on the thread that ends it. */
    @FunctionalInterface
    public interface Listener<T extends @Nullable Object> {
        void ended(@Nullable T value, @Nullable RuntimeException failure);
    }

    private final FutureHost host;
    private volatile @Nullable Object outcome; // the value, NOTHING for null; or Failed
    private volatile @Nullable Runnable cancelled;
    private List<Thread> waiters = List.of(); // these five guarded by this
    private List<Runnable> listeners = List.of();
    private List<Runnable> callbacks = List.of();
    private boolean calling; // runs the callbacks, after the end
    private @Nullable Thread caller;

    public CallFuture(FutureHost host) {
        this.host = host;
    }

    /** Return a completed future. */
    public static <T extends @Nullable Object> CallFuture<T> completed(FutureHost host, T value) {
        var future = new CallFuture<T>(host);
        future.complete(value);
        return future;
    }

    /** Return a failed future. */
    public static <T extends @Nullable Object> CallFuture<T> failed(
            FutureHost host, RuntimeException failure) {
        var future = new CallFuture<T>(host);
        future.fail(failure);
        return future;
    }

    @Override
    public void complete(T value) {
        if (!tryEnd(outcomeOf(value))) {
            throw alreadyComplete();
        }
    }

    @Override
    public void fail(RuntimeException failure) {
        if (!tryEnd(new Failed(failure))) {
            throw alreadyComplete();
        }
    }

    @Override
    public boolean tryComplete(T value) {
        return tryEnd(outcomeOf(value));
    }

    @Override
    public boolean tryFail(RuntimeException failure) {
        return tryEnd(new Failed(failure));
    }

    /** End with the outcome of another future, unless this one has ended. */
    @SuppressWarnings("NullAway") // the value comes from another future of this type
    public boolean tryEnd(@Nullable T value, @Nullable RuntimeException failure) {
        return tryEnd(failure == null ? outcomeOf(value) : new Failed(failure));
    }

    /** Return a new future of the same host. */
    public CallFuture<T> sibling() {
        return new CallFuture<>(host);
    }

    private static IllegalStateException alreadyComplete() {
        return new IllegalStateException(
                "the future is complete already; where several sources complete it, call tryComplete or tryFail");
    }

    private static Object outcomeOf(@Nullable Object value) {
        return value == null ? NOTHING : value;
    }

    private boolean tryEnd(Object end) {
        List<Thread> toWake;
        List<Runnable> toTell;
        boolean toCall;
        synchronized (this) {
            if (outcome != null) {
                return false;
            }
            outcome = end;
            toWake = waiters;
            toTell = listeners;
            toCall = !callbacks.isEmpty();
            waiters = List.of();
            listeners = List.of();
            calling = toCall;
        }
        if (!toTell.isEmpty()) {
            toTell.forEach(CallFuture::tell);
        }
        if (!toWake.isEmpty()) {
            toWake.forEach(LockSupport::unpark);
        }
        if (toCall) {
            host.callbacks().execute(this::callBack);
        }
        return true;
    }

    /** Call a listener. If it throws, the others are still called. */
    private static void tell(Runnable listener) {
        try {
            listener.run();
        } catch (Throwable e) {
            LOGGER.log(System.Logger.Level.ERROR, "a listener of a future failed", e);
        }
    }

    /** Run the callbacks in order, including those registered meanwhile. */
    private void callBack() {
        while (true) {
            List<Runnable> batch;
            synchronized (this) {
                batch = callbacks;
                callbacks = List.of();
                calling = !batch.isEmpty();
                caller = calling ? Thread.currentThread() : null;
            }
            if (batch.isEmpty()) {
                return;
            }
            batch.forEach(Runnable::run);
        }
    }

    @Override
    public T join() {
        await(Long.MAX_VALUE);
        return value();
    }

    @Override
    public T join(Duration timeout) {
        if (!await(Math.max(0, TimeUnit.NANOSECONDS.convert(timeout)))) {
            throw new RpcTimeoutException(
                    "the future was not complete within " + timeout.toMillis() + " ms");
        }
        return value();
    }

    private boolean await(long nanos) {
        if (outcome != null) {
            return true;
        }
        Simulation simulation = host.simulation();
        if (simulation != null) {
            return await(simulation, nanos);
        }
        long start = System.nanoTime();
        boolean ended = pollOrPark(start, nanos);
        host.waited(System.nanoTime() - start);
        return ended;
    }

    private boolean await(Simulation simulation, long nanos) {
        Wait wait = simulation.newWait();
        whenEnded((_, _) -> wait.end());
        host.beginWait();
        try {
            wait.await(nanos);
        } finally {
            host.endWait();
        }
        return outcome != null;
    }

    private boolean pollOrPark(long start, long nanos) {
        boolean virtual = Thread.currentThread().isVirtual();
        boolean ended = false;
        try {
            ended = pollUntil(start, Math.min(nanos, virtual ? VIRTUAL_POLL_NANOS : POLL_NANOS));
            if (!ended) {
                host.beginWait(); // before the end of polling, so that no other thread lingers
            }
        } finally {
            if (ended) {
                host.linger();
            } else {
                host.endPolling();
            }
        }
        if (ended) {
            return true;
        }
        try {
            return parkUntil(start, nanos);
        } finally {
            host.endWait();
        }
    }

    private boolean pollUntil(long start, long nanos) {
        long spent = 0;
        while (outcome == null && spent < nanos) {
            if (host.poll() <= 0 && !host.pause(spent, nanos)) {
                break;
            }
            spent = System.nanoTime() - start;
        }
        return outcome != null;
    }

    private boolean parkUntil(long start, long nanos) {
        Thread self = Thread.currentThread();
        synchronized (this) {
            if (outcome != null) {
                return true;
            }
            waiters = with(waiters, self);
        }
        try {
            while (outcome == null) {
                long left = nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
                if (outcome == null && self.isInterrupted()) {
                    throw new RpcException(
                            "interrupted while waiting for a call; the call itself continues");
                }
            }
            return true;
        } finally {
            forget(self);
        }
    }

    private synchronized void forget(Thread waiter) {
        if (outcome == null) {
            waiters.remove(waiter);
        }
    }

    @Override
    public boolean isDone() {
        return outcome != null;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the value is the T that complete(T) was given
    public T value() {
        Object end = outcome;
        if (end == null) {
            throw new IllegalStateException(
                    "the future is not complete; use join() to wait for it");
        }
        if (end instanceof Failed failed) {
            throw FutureFailures.forCaller(failed.failure);
        }
        return (T) valueOf(end);
    }

    private static @Nullable Object valueOf(Object end) {
        return NOTHING.equals(end) ? null : end;
    }

    @Override
    public <R extends @Nullable Object> RpcFuture<R> then(Callback<T, R> callback) {
        var next = new CallFuture<R>(host);
        addCallback(() -> {
            R result;
            try {
                result = callback.apply(this);
            } catch (Throwable failure) {
                next.fail(FutureFailures.ofCallback(failure));
                return;
            }
            next.complete(result);
        });
        return next;
    }

    @Override
    public RpcFuture<T> whenDone(Runnable task) {
        CallFuture<T> next = sibling();
        addCallback(() -> {
            try {
                task.run();
            } catch (Throwable failure) {
                LOGGER.log(System.Logger.Level.WARNING, "a callback of a future failed", failure);
            }
            next.tryEnd(Objects.requireNonNull(outcome));
        });
        return next;
    }

    @Override
    public void onDone(Consumer<T> callback) {
        addCallback(() -> {
            try {
                callback.accept(this);
            } catch (Throwable failure) {
                LOGGER.log(System.Logger.Level.WARNING, "a callback of a future failed", failure);
            }
        });
    }

    /** Register a listener that runs on the thread that ends the future; it must be short. */
    @SuppressWarnings({"unchecked", "NullAway"}) // the value is the T that complete(T) was given
    public void whenEnded(Listener<T> listener) {
        Runnable tell =
                () -> {
                    Object end = outcome;
                    if (end instanceof Failed failed) {
                        listener.ended(null, failed.failure);
                    } else if (end != null) {
                        listener.ended((T) valueOf(end), null);
                    }
                };
        synchronized (this) {
            if (outcome == null) {
                listeners = with(listeners, tell);
                return;
            }
        }
        tell.run();
    }

    private void addCallback(Runnable task) {
        Runnable callback = host.carry(Profiler.carry(task));
        synchronized (this) {
            boolean itsTurn = !calling || Thread.currentThread().equals(caller);
            if (outcome == null || !itsTurn) {
                callbacks = with(callbacks, callback);
                return;
            }
        }
        callback.run();
    }

    /** Set the action on cancellation, before the future is shared. */
    public void whenCancelled(Runnable task) {
        cancelled = task;
    }

    @Override
    public boolean cancel() {
        boolean isMine =
                tryFail(new RpcException(RpcErrorKind.CANCELLED, "the call was cancelled"));
        Runnable task = cancelled;
        if (isMine && task != null) {
            task.run();
        }
        return isMine;
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        var view =
                new CompletableFuture<T>() {
                    @Override
                    public boolean cancel(boolean mayInterruptIfRunning) {
                        boolean isMine = super.cancel(mayInterruptIfRunning);
                        if (isMine) {
                            CallFuture.this.cancel();
                        }
                        return isMine;
                    }
                };
        onDone(done -> {
            try {
                view.complete(done.value());
            } catch (RuntimeException failure) {
                view.completeExceptionally(failure);
            }
        });
        return view;
    }

    private static <E> List<E> with(List<E> list, E element) {
        List<E> longer = list.isEmpty() ? new ArrayList<>(2) : list;
        longer.add(element);
        return longer;
    }
}
