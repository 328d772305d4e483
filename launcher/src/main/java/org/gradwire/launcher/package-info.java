/**
 * Starts, shows and ends a group of workers.
 *
 * <p>{@link org.gradwire.launcher.RunCommand} reads the command line into a {@link
 * org.gradwire.launcher.GroupPlan}; {@link org.gradwire.launcher.WorkerGroup} carries it out.
 */
@NullMarked
package org.gradwire.launcher;

import org.jspecify.annotations.NullMarked;
