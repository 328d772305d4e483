/** Remote functions of the tests. */
@NullMarked
package org.gradwire.junit.tests.functions;

import org.jspecify.annotations.NullMarked;
