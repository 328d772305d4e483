/** Loss functions as modules, after {@code torch.nn.modules.loss}. */
@NullMarked
package org.gradwire.nn.loss;

import org.jspecify.annotations.NullMarked;
