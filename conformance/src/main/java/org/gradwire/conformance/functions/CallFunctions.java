package org.gradwire.conformance.functions;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.jspecify.annotations.Nullable;

import java.util.Map;

/** Functions that tell about the worker they run on, or call further. */
public final class CallFunctions {

    private CallFunctions() {}

    @RemoteCallable
    public static @Nullable Object echo(@Nullable Object value) {
        return value;
    }

    @RemoteCallable
    public static int square(int value) {
        return value * value;
    }

    @RemoteCallable
    public static int fail(String text) {
        throw new IllegalStateException(text);
    }

    @RemoteCallable
    public static int refuse(String text) {
        throw new IllegalArgumentException(text);
    }

    @RemoteCallable
    public static Map<String, String> debugInfo() {
        return Rpc.current().debugInfo();
    }

    @RemoteCallable
    public static String name() {
        return Rpc.current().self().name();
    }
}
