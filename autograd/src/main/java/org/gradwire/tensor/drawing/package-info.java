/** Drawings of graphs as text: in the language of Graphviz, and as SVG. They know no tensors. */
@NullMarked
package org.gradwire.tensor.drawing;

import org.jspecify.annotations.NullMarked;
