package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

/** The node of an operator of the table. */
final class OpNode extends Node {
    private final OperatorRow row;
    private final Saved saved;

    OpNode(OperatorRow row, @Nullable Edge[] edges, Saved saved, @Nullable ForwardCall call) {
        super(edges, call);
        this.row = row;
        this.saved = saved;
    }

    @Override
    public String name() {
        return row.nodeName();
    }

    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        saved.checkNotFreed();
        for (Tensor gradient : gradients) {
            if (gradient != null) {
                return Devices.on(gradient.device(), () -> row.gradients(saved, gradients));
            }
        }
        return new @Nullable Tensor[edges.length];
    }

    @Override
    protected boolean isDoneWithGradients() {
        return true;
    }

    @Override
    protected void releaseSaved() {
        saved.free();
    }
}
