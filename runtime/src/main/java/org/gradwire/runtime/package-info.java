/** The worker: making calls, serving them, living in a group. */
@NullMarked
package org.gradwire.runtime;

import org.jspecify.annotations.NullMarked;
