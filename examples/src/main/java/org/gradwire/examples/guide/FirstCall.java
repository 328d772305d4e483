package org.gradwire.examples.guide;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;

import java.time.Duration;
import java.util.List;

/** Page 1: calls. */
final class FirstCall {

    private FirstCall() {}

    static void run(Rpc rpc) {
        now(rpc);
        later(rpc);
        withKeywords(rpc);
    }

    private static void now(Rpc rpc) {
        Texts.Summary summary = rpc.rpcSync("worker1", Texts::summarize, "to be or not to be");
        IO.println("worker1 says: " + summary);
    }

    private static void later(Rpc rpc) {
        RpcFuture<Texts.Summary> one = rpc.rpcAsync("worker1", Texts::summarize, "to be");
        RpcFuture<Texts.Summary> two = rpc.rpcAsync("worker2", Texts::summarize, "or not to be");
        RpcFuture<Integer> words =
                rpc.collectAll(List.of(one, two))
                        .then(both -> both.value().stream().mapToInt(Texts.Summary::words).sum());
        IO.println("both together: " + words.join());

        RpcFuture<Integer> elsewhere =
                rpc.rpcAsync(
                        "worker1",
                        RpcFunction.async(Texts::countElsewhere),
                        "through another worker",
                        "worker2");
        IO.println("through worker1: " + elsewhere.join());
    }

    private static void withKeywords(Rpc rpc) {
        Call<List<String>> call =
                Call.to(Texts::longest).args("a pipeline of stages").kwarg("number", 2);
        IO.println(rpc.withTimeout(Duration.ofSeconds(5)).rpcSync("worker1", call));
    }
}
