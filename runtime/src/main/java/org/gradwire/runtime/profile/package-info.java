/** What profilers and Flight Recorder learn of calls. */
@NullMarked
package org.gradwire.runtime.profile;

import org.jspecify.annotations.NullMarked;
