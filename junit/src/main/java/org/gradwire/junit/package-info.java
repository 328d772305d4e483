/** Tests of programs for several workers, with JUnit 5. */
@NullMarked
package org.gradwire.junit;

import org.jspecify.annotations.NullMarked;
