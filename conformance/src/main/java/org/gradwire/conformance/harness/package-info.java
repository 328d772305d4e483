/**
 * The test harness: the backend under test, groups of workers, and the annotations and keys of the
 * report.
 */
@NullMarked
package org.gradwire.conformance.harness;

import org.jspecify.annotations.NullMarked;
