/** The command {@code ./gradwire checkpoint}. */
@NullMarked
package org.gradwire.checkpoint.cli;

import org.jspecify.annotations.NullMarked;
