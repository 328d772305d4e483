/** Compile-time checks of remote functions. */
@NullMarked
package org.gradwire.processor;

import org.jspecify.annotations.NullMarked;
