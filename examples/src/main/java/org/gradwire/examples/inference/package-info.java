/** Model serving by several replicas with dynamic batches, and the loss of one. */
@NullMarked
package org.gradwire.examples.inference;

import org.jspecify.annotations.NullMarked;
