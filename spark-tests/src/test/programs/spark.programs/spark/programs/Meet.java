package spark.programs;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

/** Calls every worker, and prints what they answered. */
public final class Meet {
    private Meet() {}

    @RemoteCallable
    public static String greet(String who) {
        return who + " met " + Rpc.current().self().name();
    }

    public static void main(String[] args) {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            for (int i = 0; i < Integer.parseInt(args[0]); i++) {
                System.out.println(rpc.rpcSync("worker" + i, Meet::greet, rpc.self().name()));
            }
        }
    }
}
