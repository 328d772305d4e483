/**
 * Cases of distributed autograd (DA-, JD-), one class for each subject, with the remote functions
 * they call.
 */
@NullMarked
package org.gradwire.conformance.cases.autograd;

import org.jspecify.annotations.NullMarked;
