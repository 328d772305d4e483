/** A model in three stages on three workers, trained with several micro-batches under way. */
@NullMarked
package org.gradwire.examples.pipeline;

import org.jspecify.annotations.NullMarked;
