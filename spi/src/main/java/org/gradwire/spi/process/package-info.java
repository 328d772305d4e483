/**
 * The JVM and the process of a worker: its settings, its user, its ports, and the paths of its
 * code.
 */
@NullMarked
package org.gradwire.spi.process;

import org.jspecify.annotations.NullMarked;
