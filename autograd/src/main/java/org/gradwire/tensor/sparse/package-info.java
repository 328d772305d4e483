/** Rules for sparse tensors in COO layout. */
@NullMarked
package org.gradwire.tensor.sparse;

import org.jspecify.annotations.NullMarked;
