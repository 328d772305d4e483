/** Fault injection. */
@NullMarked
package org.gradwire.backend.faulty;

import org.jspecify.annotations.NullMarked;
