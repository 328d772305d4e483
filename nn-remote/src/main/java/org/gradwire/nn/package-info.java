/**
 * Neural-network modules, after PyTorch's {@code torch.nn}.
 *
 * <p>This package has {@link org.gradwire.nn.Module}, containers, linear and embedding layers, and
 * layers outside of the families. The families of layers have subpackages, as {@code
 * torch.nn.modules} has files: {@code activation}, {@code conv}, {@code loss}, {@code
 * normalization}, {@code pooling}, {@code recurrent} and {@code transformer}.
 */
@NullMarked
package org.gradwire.nn;

import org.jspecify.annotations.NullMarked;
