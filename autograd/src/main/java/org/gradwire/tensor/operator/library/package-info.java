/** Finds the rows of operators by name, for tensors and for remote callers. */
@NullMarked
package org.gradwire.tensor.operator.library;

import org.jspecify.annotations.NullMarked;
