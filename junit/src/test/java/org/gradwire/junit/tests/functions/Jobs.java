package org.gradwire.junit.tests.functions;

import org.gradwire.rpc.RemoteCallable;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Functions of the tests. */
@RemoteCallable
public final class Jobs {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private Jobs() {}

    public static int square(int x) {
        return x * x;
    }

    /** Block for longer than any test; the worker's shutdown interrupts it. */
    public static boolean block() throws InterruptedException {
        return NEVER.await(60, TimeUnit.SECONDS);
    }
}
