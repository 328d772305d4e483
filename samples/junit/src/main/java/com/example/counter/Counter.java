package com.example.counter;

import org.gradwire.rpc.RemoteCallable;

/** A counter that stays on its worker. */
@RemoteCallable
public final class Counter {
    private int count;

    public synchronized int add(int more) {
        count += more;
        return count;
    }

    public static int twice(int number) {
        return 2 * number;
    }
}
