/** Pooling layers, after {@code torch.nn.modules.pooling}. */
@NullMarked
package org.gradwire.nn.pooling;

import org.jspecify.annotations.NullMarked;
