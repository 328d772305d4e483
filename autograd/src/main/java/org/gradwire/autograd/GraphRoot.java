package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** The start of a backward pass: hands the gradients it is fed to the tensors they belong to. */
public final class GraphRoot extends Node {

    /**
     * Create a start.
     *
     * @param roots tensors that require gradients; the gradients fed are theirs, in this order
     */
    public GraphRoot(List<Tensor> roots) {
        super(edges(roots), null);
    }

    private static Edge[] edges(List<Tensor> roots) {
        var edges = new Edge[roots.size()];
        for (int i = 0; i < edges.length; i++) {
            edges[i] = Edge.of(roots.get(i));
        }
        return edges;
    }

    @Override
    public String name() {
        return "torch::autograd::GraphRoot";
    }

    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        return gradients;
    }
}
