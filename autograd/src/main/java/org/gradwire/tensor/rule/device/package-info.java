/** Rules on devices, by the kernels that a device has. */
@NullMarked
package org.gradwire.tensor.rule.device;

import org.jspecify.annotations.NullMarked;
