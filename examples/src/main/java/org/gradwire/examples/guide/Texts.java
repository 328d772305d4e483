package org.gradwire.examples.guide;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.Default;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WireValue;

import java.util.Comparator;
import java.util.List;

/** Functions on texts that other workers may call. */
@RemoteCallable
public final class Texts {

    /** The summary of a text. */
    @WireValue
    public record Summary(int words, String longest) {}

    private Texts() {}

    public static Summary summarize(String text) {
        List<String> longest = longest(text, 1);
        return new Summary(text.split(" ", -1).length, longest.getFirst());
    }

    public static List<String> longest(String text, @Default("1") int number) {
        return List.of(text.split(" ", -1)).stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .limit(number)
                .toList();
    }

    @AsyncExecution
    public static RpcFuture<Integer> countElsewhere(String text, String worker) {
        return Rpc.current()
                .rpcAsync(worker, Texts::summarize, text)
                .then(summary -> summary.value().words());
    }
}
