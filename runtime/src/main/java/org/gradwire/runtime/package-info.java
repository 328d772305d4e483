/** The worker: {@link org.gradwire.runtime.WorkerAssembly} assembles it from the other packages. */
@NullMarked
package org.gradwire.runtime;

import org.jspecify.annotations.NullMarked;
