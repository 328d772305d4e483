package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Retry;
import org.gradwire.rpc.Rpc;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Functions of numbers. */
public final class Numbers {
    private Numbers() {}

    @RemoteCallable
    public static int add(int a, int b) {
        return a + b;
    }

    @RemoteCallable
    public static Object echo(Object value) {
        return value;
    }

    /** Keep a reference for the life of the worker. */
    @RemoteCallable
    public static void keep(RRef<String> rref) {
        Rpc.current().locals().get(Kept.class, Kept::new).references.add(rref.retain());
    }

    private static final class Kept {
        private final Queue<RRef<String>> references = new ConcurrentLinkedQueue<>();
    }

    @RemoteCallable
    public static int zero() {
        return 0;
    }

    @RemoteCallable
    public static int square(int number) {
        return number * number;
    }

    /** {@link #square} with a malformed mark. */
    @RemoteCallable
    @Retry(attemptTimeoutMillis = 0)
    @SuppressWarnings("gradwire") // which would refuse it
    public static int squareWithBadRetry(int number) {
        return number * number;
    }

    /** Count down to zero by nested calls, alternating between the workers. */
    @RemoteCallable
    public static int countDown(int left) {
        Rpc rpc = Rpc.current();
        if (left == 0) {
            return rpc.self().id();
        }
        int next = (rpc.self().id() + 1) % rpc.workers().size();
        return rpc.rpcSync(rpc.worker(next).name(), Numbers::countDown, left - 1);
    }

    /** Add one to a counter on another worker. */
    @RemoteCallable
    public static int increment(RRef<Counter> counter) {
        return counter.rpcSync(Counter::add, 1, 1);
    }

    @RemoteCallable
    public static float small(short a, float b) {
        return a + b;
    }
}
