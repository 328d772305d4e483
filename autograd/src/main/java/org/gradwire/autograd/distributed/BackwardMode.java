package org.gradwire.autograd.distributed;

/** Which of the tensors that were sent in a context take part in a backward pass. */
public enum BackwardMode {

    /**
     * PyTorch's FAST mode: all that require a gradient. No message is spent on finding out, but one
     * whose result is not used makes the pass wait: for the call timeout when it was sent by
     * another worker, until the context is closed when it was sent by the one that runs the pass.
     */
    FAST,

    /**
     * The SMART mode that PyTorch has described and not built: those that the roots depend on. They
     * are found before the pass, by messages along the way that the gradients will take. Results
     * that are not used cost nothing.
     */
    SMART
}
