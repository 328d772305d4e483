/**
 * Checkpoints of a whole group. {@link org.gradwire.checkpoint.Checkpoint} saves and loads them,
 * {@link org.gradwire.checkpoint.Stateful} is a state that they contain, and {@link
 * org.gradwire.checkpoint.SavedCheckpoint} reads one without a group.
 */
@NullMarked
package org.gradwire.checkpoint;

import org.jspecify.annotations.NullMarked;
