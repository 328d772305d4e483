/** What follows the failure of a worker: a restart, or the end of the run. */
@NullMarked
package org.gradwire.launcher.restart;

import org.jspecify.annotations.NullMarked;
