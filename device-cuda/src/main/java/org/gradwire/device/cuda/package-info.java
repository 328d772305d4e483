/** NVIDIA GPUs through the CUDA driver. */
@NullMarked
package org.gradwire.device.cuda;

import org.jspecify.annotations.NullMarked;
