package org.gradwire.backend.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;

import org.jspecify.annotations.Nullable;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/**
 * An event loop that any thread can run, one at a time: the thread in it is the thread of the loop
 * as long as it is in it.
 *
 * <p>{@link io.netty.channel.ManualIoEventLoop} belongs to one thread, so a thread that waits for a
 * reply would need another one to read it.
 *
 * <p>Thread-safe. A thread must not enter the loop twice.
 */
@SuppressWarnings("deprecation") // Netty's own bootstraps call them
final class SharedEventLoop extends AbstractScheduledEventExecutor implements IoEventLoop {
    /** Result of {@link #tryRun} when another thread is in the loop. */
    static final int BUSY = -1;

    private enum State {
        RUNNING,
        ENDING,
        ENDED
    }

    /** Limit of the wait for events of an iteration: until the next task is due. */
    private final class Waiting implements IoHandlerContext {
        private long mostNanos; // 0: not at all

        @Override
        public boolean canBlock() {
            return mostNanos > 0
                    && tasks.isEmpty()
                    && !isShuttingDown()
                    && delayNanos(System.nanoTime()) > 0;
        }

        @Override
        public long delayNanos(long now) {
            return Math.min(mostNanos, SharedEventLoop.this.delayNanos(now, mostNanos));
        }

        @Override
        public long deadlineNanos() {
            return ticker().nanoTime() + delayNanos(System.nanoTime());
        }
    }

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Thread> holder = new AtomicReference<>();
    private final Promise<Void> termination = new DefaultPromise<>(GlobalEventExecutor.INSTANCE);
    private final Waiting waiting = new Waiting(); // confined to the loop
    private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
    private final IoHandler handler;
    private final IntSupplier duties;
    private volatile boolean isInitialized;
    private volatile boolean isBlocking;

    /**
     * Create a loop in which no thread is.
     *
     * @param duties run in each iteration, and return the amount of work done
     */
    SharedEventLoop(IoHandlerFactory factory, IntSupplier duties) {
        handler = factory.newHandler(this);
        this.duties = duties;
    }

    /**
     * Run submitted tasks and handle events, unless another thread is in the loop.
     *
     * @param mostNanos how long to wait for the first event or task; 0: not at all
     * @return amount of work done; or {@link #BUSY}, immediately
     */
    int tryRun(long mostNanos) {
        if (!holder.compareAndSet(null, Thread.currentThread())) {
            return BUSY;
        }
        try {
            return state.get() == State.ENDED ? 0 : run(mostNanos);
        } finally {
            holder.set(null);
        }
    }

    /** Run submitted tasks, without a look for events, unless another thread is in the loop. */
    void tryRunTasks() {
        if (isInitialized && holder.compareAndSet(null, Thread.currentThread())) {
            try {
                runTasks();
            } finally {
                holder.set(null);
            }
        }
    }

    private int run(long mostNanos) {
        if (!isInitialized) {
            isInitialized = true;
            handler.initialize();
        }
        if (state.get() != State.RUNNING) {
            return runTasks() + end();
        }
        waiting.mostNanos = mostNanos;
        isBlocking = mostNanos > 0; // before the context looks for tasks
        int done;
        try {
            done = handler.run(waiting);
        } finally {
            isBlocking = false;
        }
        return done + runTasks() + duties.getAsInt();
    }

    private int runTasks() {
        fetchFromScheduledTaskQueue(tasks);
        int count = 0;
        for (Runnable task; (task = tasks.poll()) != null; count++) {
            safeExecute(task);
        }
        return count;
    }

    private int end() {
        handler.prepareToDestroy();
        int done = runTasks(); // those of the closed channels
        cancelScheduledTasks();
        state.set(State.ENDED);
        done += runTasks();
        handler.destroy();
        termination.setSuccess(null);
        return done;
    }

    // ---- executor

    @Override
    public boolean inEventLoop(Thread thread) {
        return thread.equals(holder.get());
    }

    /** Run a task in the loop soon. */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (state.get() == State.ENDED && tasks.remove(task)) {
            throw new RejectedExecutionException("the loop has ended");
        }
        if (isBlocking) {
            handler.wakeup();
        }
    }

    /** End after the submitted tasks, at the next iteration; without a quiet period. */
    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        if (state.compareAndSet(State.RUNNING, State.ENDING)) {
            handler.wakeup();
        }
        return termination;
    }

    @Override
    public void shutdown() {
        var _ = shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Future<?> terminationFuture() {
        return termination;
    }

    @Override
    public boolean isShuttingDown() {
        return state.get() != State.RUNNING;
    }

    @Override
    public boolean isShutdown() {
        return state.get() == State.ENDED;
    }

    @Override
    public boolean isTerminated() {
        return termination.isDone();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return termination.await(timeout, unit);
    }

    // ---- channels

    @Override
    public ChannelFuture register(Channel channel) {
        return register(new DefaultChannelPromise(channel, this));
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        promise.channel().unsafe().register(this, promise);
        return promise;
    }

    @Override
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        channel.unsafe().register(this, promise);
        return promise;
    }

    @Override
    public Future<IoRegistration> register(IoHandle handle) {
        Promise<IoRegistration> promise = newPromise();
        if (inEventLoop()) {
            register(handle, promise);
        } else {
            execute(() -> register(handle, promise));
        }
        return promise;
    }

    private void register(IoHandle handle, Promise<IoRegistration> promise) {
        try {
            promise.setSuccess(handler.register(handle));
        } catch (Exception e) {
            promise.setFailure(e);
        }
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return handler.isCompatible(handleType);
    }

    @Override
    public boolean isIoType(Class<? extends IoHandler> handlerType) {
        return handlerType.isInstance(handler);
    }

    @Override
    public IoEventLoop next() {
        return this;
    }

    @Override
    public @Nullable EventLoopGroup parent() {
        return null; // it belongs to no group
    }
}
