/**
 * Common parts of programs that survive the loss of a worker: the losses as a state, the first
 * start of a run, and the lines about lost and returned workers.
 */
@NullMarked
package org.gradwire.examples.elastic;

import org.jspecify.annotations.NullMarked;
