/** The extension that the starter adds to each worker of the JVM. */
@NullMarked
package org.gradwire.spring.worker;

import org.jspecify.annotations.NullMarked;
