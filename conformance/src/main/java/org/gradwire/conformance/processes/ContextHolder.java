package org.gradwire.conformance.processes;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.time.Duration;

/**
 * Program of a worker whose group's last member opens an autograd context and is then killed. Reads
 * commands and answers each with a line: {@code open} opens the context on all workers and begins a
 * pass that the first one cannot finish, {@code expect CONTEXTS PASSES} waits until the worker has
 * that many, {@code together} runs a pass with the other survivors.
 */
public final class ContextHolder {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Rpc rpc;

    private ContextHolder(Rpc rpc) {
        this.rpc = rpc;
    }

    /** Join the group that the environment describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Rpc rpc = Rpc.init(RpcOptions.fromEnvironment());
        CommandLoop.run(rpc, new ContextHolder(rpc)::obey);
    }

    private String obey(String[] words) {
        return switch (words[0]) {
            case "open" -> open();
            case "expect" ->
                    CommandLoop.await(
                            this::figures,
                            "contexts=%s passes=%s".formatted(words[1], words[2]),
                            PATIENCE);
            case "together" -> together();
            default -> throw CommandLoop.unknown(words);
        };
    }

    /** The second call on worker 0 gets no gradient, so its part of the pass does not end. */
    private String open() {
        AutogradContext context = DistAutograd.context(rpc);
        Tensor value = Tensor.ones(2).requiresGrad(true);
        int others = rpc.workers().size() - 1;
        Tensor sum =
                rpc.rpcSync("worker0", ProcessFunctions::doubleAround, value, others - 1).sum();
        rpc.rpcSync("worker0", ProcessFunctions::doubleAround, value, 0);
        Thread.ofPlatform().daemon().start(() -> context.backward(sum));
        return "sum=" + sum.item();
    }

    private String figures() {
        return "contexts=%s passes=%s"
                .formatted(
                        rpc.debugInfo().get("num_autograd_contexts"),
                        rpc.debugInfo().get("num_current_backward_passes"));
    }

    /** Run a pass through the survivors after this one. */
    private String together() {
        int left = rpc.workers().size() - 1 - rpc.self().id();
        Tensor value = Tensor.ones(2).requiresGrad(true);
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor result =
                    rpc.rpcSync(rpc.self().name(), ProcessFunctions::doubleAround, value, left - 1);
            context.backward(result.sum());
            return "gradient=" + context.gradients().get(value);
        }
    }
}
