/** JUnit 5 extension for tests with several workers. */
@NullMarked
package org.gradwire.junit;

import org.jspecify.annotations.NullMarked;
