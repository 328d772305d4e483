/** Drawings of graphs in the DOT language and as SVG. Independent of tensors. */
@NullMarked
package org.gradwire.tensor.drawing;

import org.jspecify.annotations.NullMarked;
