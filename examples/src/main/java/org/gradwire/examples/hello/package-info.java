/** The smallest program. */
@NullMarked
package org.gradwire.examples.hello;

import org.jspecify.annotations.NullMarked;
