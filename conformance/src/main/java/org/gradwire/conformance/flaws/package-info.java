/** Backends that are broken on purpose, and the matrix of which rule catches which of them. */
@NullMarked
package org.gradwire.conformance.flaws;

import org.jspecify.annotations.NullMarked;
