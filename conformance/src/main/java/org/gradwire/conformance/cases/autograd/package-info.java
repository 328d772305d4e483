/** The cases of distributed autograd (DA-, JD-), a class for each theme. */
@NullMarked
package org.gradwire.conformance.cases.autograd;

import org.jspecify.annotations.NullMarked;
