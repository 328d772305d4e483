/** Functions that members call on each other. */
@NullMarked
package org.gradwire.nn.parallel.tests.functions;

import org.jspecify.annotations.NullMarked;
