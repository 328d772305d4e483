/** Loops by the Vector API. Loaded only where {@code jdk.incubator.vector} is among the modules. */
@NullMarked
package org.gradwire.tensor.kernel.vector;

import org.jspecify.annotations.NullMarked;
