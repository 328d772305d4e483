/**
 * Profiles: what a thread, and all that its calls make run on other workers, spent its time on.
 *
 * <p>{@link org.gradwire.profiler.Profiler} is for everyone. {@link
 * org.gradwire.profiler.ProfilerState} and {@link org.gradwire.profiler.ServedProfiles} are for
 * those who carry a profile to other threads and workers, as the runtime does.
 */
@NullMarked
package org.gradwire.profiler;

import org.jspecify.annotations.NullMarked;
