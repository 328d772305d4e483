package org.gradwire.examples.guide;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;

/** A count that stays on one worker. */
@RemoteCallable
public final class Counter {
    private int count;

    public Counter(int start) {
        count = start;
    }

    public synchronized int add(int number) {
        count += number;
        return count;
    }

    public static void addTen(RRef<Counter> counter) {
        counter.rpcSync(Counter::add, 10);
    }
}
