/** Pipeline parallelism: a model in three stages, trained with several micro-batches in flight. */
@NullMarked
package org.gradwire.examples.pipeline;

import org.jspecify.annotations.NullMarked;
