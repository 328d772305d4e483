/** Authorization: what peers may do on a worker, and the audit log. */
@NullMarked
package org.gradwire.runtime.authorization;

import org.jspecify.annotations.NullMarked;
