/** Not exported. */
@NullMarked
package org.gradwire.runtime.tests.hidden;

import org.jspecify.annotations.NullMarked;
