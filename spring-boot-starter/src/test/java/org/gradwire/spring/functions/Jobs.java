package org.gradwire.spring.functions;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;

/** Functions that the contexts' workers call. */
@RemoteCallable
public final class Jobs {

    private Jobs() {}

    /** Return a greeting with the callee's name. */
    public static String greet(String who) {
        return "hello " + who + " from " + Rpc.current().self().name();
    }

    /** Fail. */
    public static int fail(String why) {
        throw new IllegalStateException(why);
    }
}
