/** Convolutions and transposed convolutions, after {@code torch.nn.modules.conv}. */
@NullMarked
package org.gradwire.nn.conv;

import org.jspecify.annotations.NullMarked;
