/** Remote functions of the tests. */
@NullMarked
package org.gradwire.spring.functions;

import org.jspecify.annotations.NullMarked;
