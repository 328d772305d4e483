/** Calls: outbound and inbound calls, and the runs of their functions. */
@NullMarked
package org.gradwire.runtime.call;

import org.jspecify.annotations.NullMarked;
