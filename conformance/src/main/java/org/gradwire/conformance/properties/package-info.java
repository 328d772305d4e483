/** Random programs and the invariants they must keep, independent of jqwik. */
@NullMarked
package org.gradwire.conformance.properties;

import org.jspecify.annotations.NullMarked;
