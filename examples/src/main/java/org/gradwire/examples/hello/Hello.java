package org.gradwire.examples.hello;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

/** {@code ./gradwire run hello}: the second worker greets the first. */
public final class Hello {
    private Hello() {}

    @RemoteCallable
    public static String greet(String who) {
        return "hello " + who + " from " + Rpc.current().self().name();
    }

    public static void main(String[] args) {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            if (rpc.self().id() == 0) {
                IO.println(rpc.rpcSync("worker1", Hello::greet, "you"));
            }
        }
    }
}
