/**
 * Remote functions: from a method reference to a name and schema, and from the name to the method.
 */
@NullMarked
package org.gradwire.runtime.function;

import org.jspecify.annotations.NullMarked;
