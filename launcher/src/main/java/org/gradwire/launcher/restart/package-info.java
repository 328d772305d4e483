/** Restarts of workers that failed: policy, budget and delays. */
@NullMarked
package org.gradwire.launcher.restart;

import org.jspecify.annotations.NullMarked;
