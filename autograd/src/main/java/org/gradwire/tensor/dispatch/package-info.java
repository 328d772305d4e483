/** Finds operators by name, so that tensors do not depend on the rows of operators. */
@NullMarked
package org.gradwire.tensor.dispatch;

import org.jspecify.annotations.NullMarked;
