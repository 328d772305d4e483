/** Matrix products and Winograd convolutions, by OpenBLAS where its native library is present. */
@NullMarked
package org.gradwire.tensor.kernel.matrix;

import org.jspecify.annotations.NullMarked;
