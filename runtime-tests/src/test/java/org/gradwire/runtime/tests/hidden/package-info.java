/** A package that the module does not export. */
@NullMarked
package org.gradwire.runtime.tests.hidden;

import org.jspecify.annotations.NullMarked;
