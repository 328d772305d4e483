/**
 * The cases of the specification about calls, references and groups: those with the ids JR and API,
 * and JD-002. One class for each theme; each method asserts one case, whole, or a named part of it.
 */
@NullMarked
package org.gradwire.conformance.cases.rpc;

import org.jspecify.annotations.NullMarked;
