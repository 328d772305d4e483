/** Flow control: limits on the bytes in flight to a peer, and the senders that wait for room. */
@NullMarked
package org.gradwire.runtime.flow;

import org.jspecify.annotations.NullMarked;
