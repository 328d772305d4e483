/**
 * What programs that survive the loss of a worker share: snapshots in the memory of workers and in
 * a file, and the lines that say who was lost and who returned.
 */
@NullMarked
package org.gradwire.examples.elastic;

import org.jspecify.annotations.NullMarked;
