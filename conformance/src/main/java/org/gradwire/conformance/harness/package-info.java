/**
 * What the tests of the kit are made of: the backend under test, worlds of workers, and the marks
 * by which the report knows a test.
 */
@NullMarked
package org.gradwire.conformance.harness;

import org.jspecify.annotations.NullMarked;
