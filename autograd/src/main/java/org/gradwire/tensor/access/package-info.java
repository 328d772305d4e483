/**
 * Access of this module's packages to members of its exported classes that programs do not see, as
 * the JDK's {@code SharedSecrets} gives its modules.
 */
@NullMarked
package org.gradwire.tensor.access;

import org.jspecify.annotations.NullMarked;
