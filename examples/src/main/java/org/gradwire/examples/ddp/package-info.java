/** Data-parallel training, with an optimizer whose state is sharded. */
@NullMarked
package org.gradwire.examples.ddp;

import org.jspecify.annotations.NullMarked;
