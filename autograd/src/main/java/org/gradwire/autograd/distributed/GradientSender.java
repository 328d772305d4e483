package org.gradwire.autograd.distributed;

import org.gradwire.tensor.Tensor;

/** Sends the gradients of received tensors to the workers that sent the tensors. */
interface GradientSender {

    /** The pass whose nodes the thread is running. */
    ScopedValue<GradientSender> RUNNING = ScopedValue.newInstance();

    /** {@return the context in which the gradients are computed} */
    ContextKey context();

    /** Send gradients to the worker that sent a message with tensors. */
    void sendGradients(int to, long messageId, Tensor[] gradients);
}
