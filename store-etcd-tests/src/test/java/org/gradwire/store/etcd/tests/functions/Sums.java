package org.gradwire.store.etcd.tests.functions;

import org.gradwire.rpc.RemoteCallable;

/** Remote functions of the tests. */
public final class Sums {
    private Sums() {}

    @RemoteCallable
    public static long add(long a, long b) {
        return a + b;
    }
}
