package org.gradwire.autograd.distributed;

import org.gradwire.autograd.Node;
import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** The receive function: sends the gradients of received tensors to the worker that sent these. */
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
     * Return the receive function of those tensors of a message that require gradients; null if
     * there are none.
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

    /** {@return the id of the worker that sent the tensors} */
    int source() {
        return source;
    }

    /** {@return the id of the message that carried the tensors} */
    long messageId() {
        return messageId;
    }

    /**
     * Check that the tensors were received in a context, so that their sender is a member of it,
     * before that worker is sent a message with its key.
     *
     * @throws RpcException if they were received in another context
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
        return true; // the sender computes while gradients are accumulated here
    }

    /** The message keeps the gradients that it sends. */
    @Override
    protected boolean isDoneWithGradients() {
        return true;
    }

    /** The sender expects a gradient for each tensor, so missing ones are sent as zeros. */
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
