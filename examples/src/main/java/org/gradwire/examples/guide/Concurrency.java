package org.gradwire.examples.guide;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Page 1: calls with the JDK's futures and threads. */
public final class Concurrency {

    private Concurrency() {}

    static void run(Rpc rpc) throws InterruptedException {
        futures(rpc);
        threads(rpc);
    }

    @AsyncExecution
    @RemoteCallable
    public static RpcFuture<Integer> countLater(String text) {
        CompletableFuture<Integer> words =
                CompletableFuture.supplyAsync(() -> Texts.summarize(text).words());
        return Rpc.current().future(words);
    }

    private static void futures(Rpc rpc) {
        CompletableFuture<Integer> there =
                rpc.rpcAsync("worker1", RpcFunction.async(Concurrency::countLater), "to be")
                        .toCompletableFuture();
        CompletableFuture<Integer> here = CompletableFuture.supplyAsync(() -> 4);
        IO.println("there and here: " + there.thenCombine(here, Integer::sum).join());
    }

    private static void threads(Rpc rpc) throws InterruptedException {
        List<Callable<Texts.Summary>> calls =
                List.of(
                        () -> rpc.rpcSync("worker1", Texts::summarize, "to be"),
                        () -> rpc.rpcSync("worker2", Texts::summarize, "or not to be"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Texts.Summary> ended : threads.invokeAll(calls)) {
                IO.println("a separate thread: " + ended.resultNow());
            }
        }
    }
}
