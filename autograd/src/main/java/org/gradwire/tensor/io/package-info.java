/** Tensors in files: the safetensors format. */
@NullMarked
package org.gradwire.tensor.io;

import org.jspecify.annotations.NullMarked;
