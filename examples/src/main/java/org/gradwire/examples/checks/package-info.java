/** Checks that compare a distributed training with one in a single process. */
@NullMarked
package org.gradwire.examples.checks;

import org.jspecify.annotations.NullMarked;
