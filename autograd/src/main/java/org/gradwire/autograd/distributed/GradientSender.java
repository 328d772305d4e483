package org.gradwire.autograd.distributed;

import org.gradwire.tensor.Tensor;

/** Sends the gradients of received tensors back to where these came from. */
interface GradientSender {

    /** The pass whose nodes the thread is running. */
    ScopedValue<GradientSender> RUNNING = ScopedValue.newInstance();

    /** {@return the context that the gradients are computed in} */
    ContextKey context();

    /** Send gradients to the worker that a message with tensors came from. */
    void sendGradients(int to, long messageId, Tensor[] gradients);
}
