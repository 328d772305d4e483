/** The threads of a worker, the calls they run, and counters of work in flight. */
@NullMarked
package org.gradwire.runtime.thread;

import org.jspecify.annotations.NullMarked;
