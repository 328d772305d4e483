/**
 * Operating-system services: calls of the C library, processes, futexes and shared memory, each
 * with a portable form.
 */
@NullMarked
package org.gradwire.backend.tensorpipe.os;

import org.jspecify.annotations.NullMarked;
