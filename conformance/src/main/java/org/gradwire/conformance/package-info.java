/** The conformance kit. */
@NullMarked
package org.gradwire.conformance;

import org.jspecify.annotations.NullMarked;
