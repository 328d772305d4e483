package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;

/** Functions of numbers. */
public final class Numbers {
    private Numbers() {}

    @RemoteCallable
    public static int add(int a, int b) {
        return a + b;
    }

    @RemoteCallable
    public static int zero() {
        return 0;
    }

    @RemoteCallable
    public static int square(int number) {
        return number * number;
    }

    /** Add one to a counter that lives elsewhere. */
    @RemoteCallable
    public static int increment(RRef<Counter> counter) {
        return counter.rpcSync(Counter::add, 1, 1);
    }

    @RemoteCallable
    public static float small(short a, float b) {
        return a + b;
    }
}
