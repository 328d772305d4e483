/** Neural-network modules, after PyTorch's {@code torch.nn}. */
@NullMarked
package org.gradwire.nn;

import org.jspecify.annotations.NullMarked;
