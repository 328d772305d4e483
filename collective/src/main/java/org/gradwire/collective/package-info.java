/**
 * Process groups and their collective operations.
 *
 * <p>Start with {@link org.gradwire.collective.ProcessGroup}.
 */
@NullMarked
package org.gradwire.collective;

import org.jspecify.annotations.NullMarked;
