/**
 * Remote functions: resolves a method reference to a name and schema, and the name to the method.
 */
@NullMarked
package org.gradwire.runtime.function;

import org.jspecify.annotations.NullMarked;
