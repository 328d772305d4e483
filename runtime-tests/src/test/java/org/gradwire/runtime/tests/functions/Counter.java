package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.Default;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;

/** A counter, the mutable value of references. */
@RemoteCallable
public final class Counter {
    private int count;

    public Counter(int start) {
        if (start < 0) {
            throw new IllegalArgumentException("a counter cannot start at " + start);
        }
        count = start;
    }

    public synchronized int get() {
        return count;
    }

    public synchronized int add(int number, @Default("1") int times) {
        count += number * times;
        return count;
    }

    /** Add the number of another counter, on any worker, and close the reference to it. */
    public int addOther(RRef<Counter> other) {
        try (other) {
            return add(other.rpcSync(Counter::get), 1);
        }
    }

    public synchronized void reset() {
        count = 0;
    }

    public synchronized void set(int number) {
        count = number;
        notifyAll();
    }

    /** Wait until the counter has a number. */
    public synchronized int await(int number) throws InterruptedException {
        while (count != number) {
            wait();
        }
        return count;
    }

    /** Return the counter itself, as a result that stays here. */
    public Counter self() {
        return this;
    }

    public int fail() {
        throw new IllegalStateException("out of order");
    }

    /** Square a number on another worker, and add it. */
    @AsyncExecution
    public RpcFuture<Integer> addSquare(String worker, int number) {
        return Rpc.current()
                .rpcAsync(worker, Numbers::square, number)
                .then(square -> add(square.value(), 1));
    }

    /** Create a counter here, and return a reference to it. */
    public static RRef<Counter> reference(int start) {
        return Rpc.current().rref(new Counter(start));
    }

    /** Compare a counter's number, in a static function. */
    public static boolean isAt(Counter counter, int number) {
        return counter.get() == number;
    }
}
