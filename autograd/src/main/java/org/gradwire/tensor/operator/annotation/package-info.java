/** Annotations of rows, which the generator of functions and methods reads. */
@NullMarked
package org.gradwire.tensor.operator.annotation;

import org.jspecify.annotations.NullMarked;
