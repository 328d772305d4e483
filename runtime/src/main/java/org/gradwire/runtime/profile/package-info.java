/** Profilers, Flight Recorder and observers of calls. */
@NullMarked
package org.gradwire.runtime.profile;

import org.jspecify.annotations.NullMarked;
