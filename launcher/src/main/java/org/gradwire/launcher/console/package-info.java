/** The launcher's output streams, the copies of workers' output, and the exit codes. */
@NullMarked
package org.gradwire.launcher.console;

import org.jspecify.annotations.NullMarked;
