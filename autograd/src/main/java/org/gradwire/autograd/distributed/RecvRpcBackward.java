package org.gradwire.autograd.distributed;

import org.gradwire.autograd.Node;
import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The gradient function of receiving tensors: sends their gradients to the worker that they came
 * from.
 */
final class RecvRpcBackward extends Node {
    private static final @Nullable Tensor[] NOTHING = {};

    private final ContextKey context;
    private final int source;
    private final long messageId;

    private RecvRpcBackward(ContextKey context, int source, long messageId) {
        super(List.of());
        this.context = context;
        this.source = source;
        this.messageId = messageId;
    }

    /**
     * Return a function that has those tensors of a message which require gradients as its inputs;
     * null when none does.
     */
    static @Nullable RecvRpcBackward of(
            ContextKey context, int source, long messageId, List<Tensor> tensors) {
        RecvRpcBackward receive = null;
        for (Tensor tensor : tensors) {
            if (tensor.requiresGrad()) {
                if (receive == null) {
                    receive = new RecvRpcBackward(context, source, messageId);
                }
                receive.attach(tensor);
            }
        }
        return receive;
    }

    /** {@return id of the worker that the tensors came from} */
    int source() {
        return source;
    }

    /** {@return id of the message that they came in} */
    long messageId() {
        return messageId;
    }

    /**
     * Check that the sender of the tensors is a member of a context, before it is sent a message
     * with the key of it.
     *
     * @throws RpcException when the tensors were received in another context
     */
    void requireReceivedIn(ContextKey required) {
        if (!context.equals(required)) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "a root of a backward pass of autograd context %d depends on a tensor that was received in another autograd context, %d; run the pass in the context in which the calls were made"
                            .formatted(required.id(), context.id()));
        }
    }

    @Override
    public String name() {
        return "torch::distributed::autograd::RecvRpcBackward";
    }

    @Override
    protected boolean isAwaited() {
        return true; // the sender computes on while gradients are accumulated here
    }

    /** What is sent is kept by the message. */
    @Override
    protected boolean isDoneWithGradients() {
        return true;
    }

    /** The sender counts on a gradient for each tensor, so those that none came for get zeros. */
    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        try (Scope _ = Profiler.scope(name())) {
            var all = new Tensor[inputs()];
            for (int i = 0; i < all.length; i++) {
                Tensor gradient = i < gradients.length ? gradients[i] : null;
                all[i] = gradient == null ? zeroGradient(i) : gradient;
            }
            GradientSender pass = GradientSender.RUNNING.get();
            requireReceivedIn(pass.context());
            pass.sendGradients(source, messageId, all);
            return NOTHING;
        }
    }
}
