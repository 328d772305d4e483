/** Mutants, which are backends that are broken on purpose, and the kill matrix. */
@NullMarked
package org.gradwire.conformance.mutants;

import org.jspecify.annotations.NullMarked;
