/** A tour of Gradwire's features. */
@NullMarked
package org.gradwire.examples.tour;

import org.jspecify.annotations.NullMarked;
