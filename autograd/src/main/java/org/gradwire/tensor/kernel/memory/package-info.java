/** Native memory and the settings of the process that its users need. */
@NullMarked
package org.gradwire.tensor.kernel.memory;

import org.jspecify.annotations.NullMarked;
