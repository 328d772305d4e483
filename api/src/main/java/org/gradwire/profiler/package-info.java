/**
 * Profiles: the times of a thread's operators and calls, on this worker and on others.
 *
 * <p>{@link org.gradwire.profiler.Profiler} is for applications. {@link
 * org.gradwire.profiler.ProfilerState} and {@link org.gradwire.profiler.ServedProfiles} carry a
 * profile to other threads and workers, as the runtime does.
 */
@NullMarked
package org.gradwire.profiler;

import org.jspecify.annotations.NullMarked;
