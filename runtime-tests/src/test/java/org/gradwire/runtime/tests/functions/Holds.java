package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Functions that block until released or interrupted, with one state per worker. */
public final class Holds {
    private static final long LIMIT_SECONDS = 30;

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    private Holds() {}

    public static Holds of(Rpc rpc) {
        return rpc.locals().get(Holds.class, Holds::new);
    }

    /** Block until released or interrupted. */
    @RemoteCallable
    public static int hold(int value) throws InterruptedException {
        Holds here = of(Rpc.current());
        here.begun.incrementAndGet();
        here.entered.countDown();
        try {
            await(here.released);
        } catch (InterruptedException e) {
            here.interrupted.countDown();
            throw e;
        }
        return value;
    }

    /** Block until released; fail if its worker is closed by then. */
    @RemoteCallable
    public static int holdWhileOpen(int value) throws InterruptedException {
        int held = hold(value);
        return Rpc.current().workers().isEmpty() ? -1 : held;
    }

    /** Return a future that never completes. */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<Integer> promise() {
        Holds here = of(Rpc.current());
        RpcPromise<Integer> promise = Rpc.current().promise();
        promise.onDone(_ -> here.cancelled.countDown());
        here.entered.countDown();
        return promise;
    }

    /** Hold on another worker, without a thread of this one. */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<Integer> holdElsewhere(String worker, int value) {
        return Rpc.current().rpcAsync(worker, Holds::hold, value);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the event did not occur in time");
        }
    }

    public void awaitEntered() throws InterruptedException {
        await(entered);
    }

    public void awaitInterrupted() throws InterruptedException {
        await(interrupted);
    }

    public boolean wasInterrupted() {
        return interrupted.getCount() == 0;
    }

    public void awaitCancelled() throws InterruptedException {
        await(cancelled);
    }

    public void release() {
        released.countDown();
    }

    /** {@return the number of started {@link #hold} calls} */
    public int begun() {
        return begun.get();
    }
}
