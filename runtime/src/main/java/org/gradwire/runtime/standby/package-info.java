/** Standbys: processes that wait to become workers that are started again. */
@NullMarked
package org.gradwire.runtime.standby;

import org.jspecify.annotations.NullMarked;
