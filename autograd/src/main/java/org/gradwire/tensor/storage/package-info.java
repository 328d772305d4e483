/** The memory of tensors and the layout of their elements in it. */
@NullMarked
package org.gradwire.tensor.storage;

import org.jspecify.annotations.NullMarked;
