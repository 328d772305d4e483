/** Remote functions of the tests. */
@NullMarked
package org.gradwire.checkpoint.tests.functions;

import org.jspecify.annotations.NullMarked;
