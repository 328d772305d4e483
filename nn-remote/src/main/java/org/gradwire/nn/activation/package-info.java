/** Activation functions as layers, after {@code torch.nn.modules.activation}. */
@NullMarked
package org.gradwire.nn.activation;

import org.jspecify.annotations.NullMarked;
