/** Datasets, orders of their samples, and batches of them, loaded ahead by virtual threads. */
@NullMarked
package org.gradwire.data;

import org.jspecify.annotations.NullMarked;
