/** Providers of stores at the rendezvous of a group, and what helps to write one. */
@NullMarked
package org.gradwire.spi.store;

import org.jspecify.annotations.NullMarked;
