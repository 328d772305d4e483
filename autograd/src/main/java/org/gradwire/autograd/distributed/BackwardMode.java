package org.gradwire.autograd.distributed;

/** The mode of a distributed backward pass: the choice of the sent tensors that take part. */
public enum BackwardMode {

    /**
     * PyTorch's FAST mode: all sent tensors that require a gradient. It needs no messages for a
     * discovery, but a message whose result is not used makes the pass wait: for the call timeout
     * if another worker sent it, until the context is closed if the initiator of the pass did.
     */
    FAST,

    /**
     * The SMART mode, which PyTorch describes but does not implement: only sent tensors on which
     * the roots depend. A discovery finds them before the pass, by messages along the path that the
     * gradients will take. Unused results cost nothing.
     */
    SMART
}
