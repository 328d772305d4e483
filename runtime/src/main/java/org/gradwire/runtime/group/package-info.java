/** Static and dynamic groups: rendezvous, membership, choice of the backend, orderly shutdown. */
@NullMarked
package org.gradwire.runtime.group;

import org.jspecify.annotations.NullMarked;
