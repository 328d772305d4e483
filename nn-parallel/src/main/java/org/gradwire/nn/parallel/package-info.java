/**
 * Training of one module by several workers: {@link
 * org.gradwire.nn.parallel.DistributedDataParallel} averages gradients, {@link
 * org.gradwire.nn.parallel.ZeroOptimizer} shards the state of an optimizer.
 */
@NullMarked
package org.gradwire.nn.parallel;

import org.jspecify.annotations.NullMarked;
