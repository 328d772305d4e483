/**
 * Programs of the worker processes that the process tests start, with the remote functions they
 * call.
 */
@NullMarked
package org.gradwire.conformance.processes;

import org.jspecify.annotations.NullMarked;
