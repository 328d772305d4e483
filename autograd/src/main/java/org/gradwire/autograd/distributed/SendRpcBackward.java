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
 * The send function: the gradient function of sent tensors, which passes the gradients that their
 * receiver returns to the functions that computed the tensors. Passes of its context start at it:
 * all in {@link BackwardMode#FAST}, those whose roots depend on it in {@link BackwardMode#SMART}.
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
     * Return the send function of those tensors of a message that require gradients; null if there
     * are none.
     *
     * @param isReply whether the message is a reply
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
     * {@return a readable description of the sent value}
     *
     * @param peer name of the receiver
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

    /** {@return the id of the worker to which the tensors were sent} */
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
