/**
 * Cases of calls, references and groups (JR-, API-, JD-002), one class for each subject, with the
 * remote functions they call. Each method asserts one case, or a named part of it.
 */
@NullMarked
package org.gradwire.conformance.cases.rpc;

import org.jspecify.annotations.NullMarked;
