/** Learning rate schedulers, after {@code torch.optim.lr_scheduler}. */
@NullMarked
package org.gradwire.optim.lr;

import org.jspecify.annotations.NullMarked;
