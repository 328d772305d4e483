package org.gradwire.conformance.processes;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Program of a worker whose group's last member is killed. Reads commands and answers each with a
 * line: {@code ask} makes calls to the last member that do not end, {@code lost} prints how they
 * ended, {@code together} works with the others, {@code leave} ends.
 */
public final class CrashSurvivor {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Rpc rpc;
    private final String doomed;
    private @Nullable RpcFuture<@Nullable Void> call;
    private @Nullable RRef<Tensor> reference;
    private @Nullable CompletableFuture<Void> barrier;

    private CrashSurvivor(Rpc rpc) {
        this.rpc = rpc;
        this.doomed = "worker" + (rpc.workers().size() - 1);
    }

    /** Join the group that the environment describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Rpc rpc = Rpc.init(RpcOptions.fromEnvironment());
        CommandLoop.run(rpc, new CrashSurvivor(rpc)::obey);
    }

    private String obey(String[] words) {
        return switch (words[0]) {
            case "ask" -> ask();
            case "lost" -> lost();
            case "together" -> together();
            default -> throw CommandLoop.unknown(words);
        };
    }

    private String ask() {
        reference = rpc.remote(doomed, Ops::add, Tensor.ones(2), Tensor.ones(2));
        double sum = reference.toHere().sum().item();
        call = rpc.runAsync(doomed, ProcessFunctions::hang);
        barrier =
                CompletableFuture.runAsync(
                        () -> rpc.barrier(Set.of()), task -> Thread.ofPlatform().start(task));
        return "sum=" + sum;
    }

    /** Return the kinds of the failures of pending operations, and of later attempts. */
    private String lost() {
        RpcFuture<@Nullable Void> asked = requireAsked(call);
        RRef<Tensor> kept = requireAsked(reference);
        CompletableFuture<Void> waited = requireAsked(barrier);
        String text =
                "call=%s barrier=%s newCall=%s toHere=%s newBarrier=%s"
                        .formatted(
                                failure(asked::join),
                                failure(waited::join),
                                failure(() -> rpc.rpcSync(doomed, ProcessFunctions::id)),
                                failure(kept::toHere),
                                failure(() -> rpc.barrier(Set.of())));
        kept.close();
        return text;
    }

    private static <T> T requireAsked(@Nullable T asked) {
        if (asked == null) {
            throw new IllegalStateException("'ask' comes before 'lost'");
        }
        return asked;
    }

    private static String failure(Runnable attempt) {
        try {
            attempt.run();
            return "none";
        } catch (RuntimeException e) {
            Throwable cause = e;
            while (!(cause instanceof RpcException) && cause.getCause() != null) {
                cause = cause.getCause();
            }
            return cause instanceof RpcException failure
                    ? failure.kind().name()
                    : cause.getClass().getName();
        }
    }

    /** Use calls, all-gather, references and gradients with the remaining workers. */
    private String together() {
        var left = new TreeSet<String>();
        rpc.workers().forEach(worker -> left.add(worker.name()));
        left.remove(doomed);
        String next = "worker" + (rpc.self().id() + 1) % left.size();
        Map<String, Integer> ids =
                rpc.allGather(rpc.rpcSync(next, ProcessFunctions::id), left, PATIENCE);
        Tensor weight = Tensor.ones(2, 2).requiresGrad(true);
        String gradient;
        try (var context = DistAutograd.context(rpc);
                RRef<Tensor> shared = rpc.rref(weight)) {
            Tensor output = rpc.rpcSync(next, ProcessFunctions::twice, shared);
            context.backward(output.sum());
            gradient = String.valueOf(context.gradients().get(weight));
        }
        rpc.allGather("done", left, PATIENCE);
        return "ids=%s gradient=%s".formatted(new TreeMap<>(ids), gradient.replaceAll("\\s+", ""));
    }
}
