/** The JVM and the process of a worker: its settings, its user, and where its code lies. */
@NullMarked
package org.gradwire.spi.process;

import org.jspecify.annotations.NullMarked;
