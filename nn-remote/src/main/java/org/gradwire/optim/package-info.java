/** Optimizers, after PyTorch's {@code torch.optim}. */
@NullMarked
package org.gradwire.optim;

import org.jspecify.annotations.NullMarked;
