/** Back-pressure: how much may be under way to a peer, and how those wait who would send more. */
@NullMarked
package org.gradwire.runtime.flow;

import org.jspecify.annotations.NullMarked;
