/** What of the launcher runs inside each worker. */
@NullMarked
package org.gradwire.launcher.agent;

import org.jspecify.annotations.NullMarked;
