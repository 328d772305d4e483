/** Batch, group, instance and layer normalization. */
@NullMarked
package org.gradwire.nn.normalization;

import org.jspecify.annotations.NullMarked;
