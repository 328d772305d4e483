/** Text forms of tensors, as PyTorch prints them. */
@NullMarked
package org.gradwire.tensor.text;

import org.jspecify.annotations.NullMarked;
