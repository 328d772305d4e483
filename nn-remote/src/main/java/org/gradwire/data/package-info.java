/** Datasets, samplers, and data loaders that prefetch batches on virtual threads. */
@NullMarked
package org.gradwire.data;

import org.jspecify.annotations.NullMarked;
