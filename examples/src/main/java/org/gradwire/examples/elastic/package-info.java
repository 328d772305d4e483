/**
 * Common parts of programs that survive the loss of a worker: snapshots in the memory of workers
 * and in a file, and the lines about lost and returned workers.
 */
@NullMarked
package org.gradwire.examples.elastic;

import org.jspecify.annotations.NullMarked;
