/** Command lines of the example programs. */
@NullMarked
package org.gradwire.examples;

import org.jspecify.annotations.NullMarked;
