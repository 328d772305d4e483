/**
 * Numeric kernels over ranges of arrays, independent of tensors.
 *
 * <p>A kernel sees contiguous ranges of Java arrays only: an array, an offset, a length. Elements
 * in native memory, and strided or broadcast ones, reach it in blocks, gathered by {@link
 * org.gradwire.tensor.kernel.element.BlockReader}. That keeps one form of each kernel, and keeps
 * heap and native segments from meeting in one compiled loop, which makes it many times slower.
 */
@NullMarked
package org.gradwire.tensor.kernel;

import org.jspecify.annotations.NullMarked;
