/** Remote functions and values of the tests, in an exported package. */
@NullMarked
package org.gradwire.runtime.tests.functions;

import org.jspecify.annotations.NullMarked;
