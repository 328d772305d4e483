/**
 * A group on several hosts: starts the launcher of each through {@code ssh}, shows their output and
 * ends them all when one fails.
 */
@NullMarked
package org.gradwire.launcher.hosts;

import org.jspecify.annotations.NullMarked;
