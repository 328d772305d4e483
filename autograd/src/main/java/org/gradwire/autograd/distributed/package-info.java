/**
 * Distributed autograd: automatic differentiation across workers, after PyTorch's <a
 * href="https://pytorch.org/docs/stable/rpc/distributed_autograd.html">Distributed Autograd
 * Design</a>.
 *
 * <p>Within an {@link org.gradwire.autograd.distributed.AutogradContext} every tensor that requires
 * a gradient and that a call carries to another worker is recorded on both sides. {@link
 * org.gradwire.autograd.distributed.AutogradContext#backward} runs the graph over all workers, and
 * accumulates the gradients of each worker's leaves there, in the context instead of in the
 * tensors, so that passes of different contexts never mix.
 */
@NullMarked
package org.gradwire.autograd.distributed;

import org.jspecify.annotations.NullMarked;
