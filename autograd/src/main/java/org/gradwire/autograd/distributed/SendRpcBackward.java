package org.gradwire.autograd.distributed;

import org.gradwire.autograd.Edge;
import org.gradwire.autograd.Node;
import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.spi.Output;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The gradient function of sending tensors: the gradients that come back go to where the tensors
 * came from. It is a start of the passes of its context: of each in {@link BackwardMode#FAST}, of
 * those whose roots depend on it in {@link BackwardMode#SMART}.
 */
final class SendRpcBackward extends Node {
    private final int destination;
    private final @Nullable FunctionSchema function;
    private final boolean isReply;

    private SendRpcBackward(
            int destination, @Nullable FunctionSchema function, boolean isReply, List<Edge> edges) {
        super(edges);
        this.destination = destination;
        this.function = function;
        this.isReply = isReply;
    }

    /**
     * Return the function of those tensors of a message that require gradients; null when none
     * does.
     *
     * @param isReply whether it brings a result
     */
    static @Nullable SendRpcBackward of(Output message, boolean isReply) {
        List<Tensor> tensors = message.attached(Tensor.class);
        List<Edge> edges = new ArrayList<>(tensors.size());
        for (Tensor tensor : tensors) {
            if (tensor.requiresGrad()) {
                edges.add(Edge.of(tensor));
            }
        }
        if (edges.isEmpty()) {
            return null;
        }
        List<FunctionSchema> functions = message.attached(FunctionSchema.class);
        return new SendRpcBackward(
                message.destination(),
                functions.isEmpty() ? null : functions.getFirst(),
                isReply,
                edges);
    }

    /**
     * {@return what was sent, for a person}
     *
     * @param peer name of the worker that it went to
     */
    String describe(String peer) {
        String sent =
                function == null
                        ? "a value that " + peer + " fetched"
                        : isReply
                                ? "the result of %s, returned to %s"
                                        .formatted(function.name(), peer)
                                : "the arguments of %s, called on %s"
                                        .formatted(function.name(), peer);
        return sent + forwardSite().map(site -> " at " + site).orElse("");
    }

    /** {@return id of the worker that the tensors went to} */
    int destination() {
        return destination;
    }

    @Override
    public String name() {
        return "torch::distributed::autograd::SendRpcBackward";
    }

    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        try (Scope _ = Profiler.scope(name())) {
            return gradients;
        }
    }
}
