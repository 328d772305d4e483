/** The rules for backends and their checks, which run on bare agents. */
@NullMarked
package org.gradwire.conformance.rules;

import org.jspecify.annotations.NullMarked;
