/** The entry points of the conformance kit: classes that a vendor extends. */
@NullMarked
package org.gradwire.conformance;

import org.jspecify.annotations.NullMarked;
