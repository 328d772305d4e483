/** Two hosts on one machine, and a network between them that loses, delays, reorders and is cut. */
@NullMarked
package org.gradwire.conformance.network;

import org.jspecify.annotations.NullMarked;
