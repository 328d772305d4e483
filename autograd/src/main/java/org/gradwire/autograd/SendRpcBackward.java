package org.gradwire.autograd;

import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.tensor.Edge;
import org.gradwire.tensor.Node;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The gradient function of sending tensors: the gradients that come back go to where the tensors
 * came from. It is a start of every pass of its context.
 */
final class SendRpcBackward extends Node {
    private final int destination;

    private SendRpcBackward(int destination, List<Edge> edges) {
        super(edges);
        this.destination = destination;
    }

    /**
     * Return the function of those tensors of a message that require gradients; null when none
     * does.
     */
    static @Nullable SendRpcBackward of(int destination, List<Tensor> tensors) {
        List<Edge> edges = new ArrayList<>(tensors.size());
        for (Tensor tensor : tensors) {
            if (tensor.requiresGrad()) {
                edges.add(Edge.of(tensor));
            }
        }
        return edges.isEmpty() ? null : new SendRpcBackward(destination, edges);
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
