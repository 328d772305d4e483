package org.gradwire.junit.tests.functions;

import org.gradwire.rpc.RemoteCallable;

/** A counter that stays on its worker. */
@RemoteCallable
public final class Counter {
    private int count;

    /** Begin at 0. */
    public Counter() {}

    public synchronized int add(int more) {
        count += more;
        return count;
    }
}
