/**
 * Two simulated hosts on one machine, and a network between them that loses, delays and reorders
 * frames and can be cut.
 */
@NullMarked
package org.gradwire.conformance.network;

import org.jspecify.annotations.NullMarked;
