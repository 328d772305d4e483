package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Runs the tasks of a backward pass on the thread that initiated it, while that thread waits for
 * the end of the pass, so no other thread needs to wake up.
 */
final class BackwardExecutor implements Executor {
    private final Worker worker;
    private final RpcPromise<@Nullable Void> end;
    private final Queue<Runnable> tasks = new ArrayDeque<>(); // guarded by this, as all below
    private @Nullable RpcPromise<@Nullable Void> news; // wakes the waiting thread
    private boolean away;

    BackwardExecutor(Worker worker) {
        this.worker = worker;
        this.end = worker.rpc().promise();
    }

    /** Run a task on the waiting thread, or on another one if it no longer waits. */
    @Override
    public void execute(Runnable task) {
        synchronized (this) {
            if (!away) {
                tasks.add(task);
                tell();
                return;
            }
        }
        worker.executor().execute(task);
    }

    /** End the pass, with a failure or null. */
    synchronized void end(@Nullable RuntimeException failure) {
        if (failure == null) {
            end.complete(null);
        } else {
            end.fail(failure);
        }
        tell();
    }

    private void tell() {
        if (news != null) {
            news.complete(null);
            news = null;
        }
    }

    /**
     * Run tasks until the pass has ended.
     *
     * @throws RpcException if the thread is interrupted, or the worker was stopped
     * @throws RuntimeException the failure that ended the pass
     */
    void awaitEnd() {
        try {
            for (Runnable task; (task = next()) != null; ) {
                task.run();
            }
        } finally {
            leave();
        }
        end.join();
    }

    /** {@return the next task, after a wait if there is none; null at the end of the pass} */
    private @Nullable Runnable next() {
        while (true) {
            RpcPromise<@Nullable Void> promise;
            synchronized (this) {
                if (end.isDone() || !tasks.isEmpty()) {
                    return end.isDone() ? null : tasks.remove();
                }
                promise = promise();
                news = promise;
            }
            promise.join();
        }
    }

    private RpcPromise<@Nullable Void> promise() {
        try {
            return worker.rpc().promise();
        } catch (RpcException stopped) { // requests in flight fail so too, perhaps later
            throw BackwardFailures.at(worker, stopped);
        }
    }

    private void leave() {
        Queue<Runnable> rest;
        synchronized (this) {
            away = true;
            news = null;
            rest = new ArrayDeque<>(tasks);
            tasks.clear();
        }
        rest.forEach(worker.executor()::execute);
    }
}
