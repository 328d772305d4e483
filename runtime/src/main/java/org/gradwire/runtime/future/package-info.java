/** The futures of calls. */
@NullMarked
package org.gradwire.runtime.future;

import org.jspecify.annotations.NullMarked;
