/** The backend that connects the workers of one JVM. */
@NullMarked
package org.gradwire.runtime.inproc;

import org.jspecify.annotations.NullMarked;
