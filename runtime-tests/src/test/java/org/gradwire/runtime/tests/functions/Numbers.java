package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.RemoteCallable;

/** Functions of numbers. */
public final class Numbers {
    private Numbers() {}

    @RemoteCallable
    public static int add(int a, int b) {
        return a + b;
    }

    @RemoteCallable
    public static float small(short a, float b) {
        return a + b;
    }
}
