/**
 * The frames between workers, as in PROTOCOL.md: one class for each kind, which encodes and decodes
 * it.
 */
@NullMarked
package org.gradwire.backend.tensorpipe.frame;

import org.jspecify.annotations.NullMarked;
