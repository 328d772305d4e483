/** Argument checks, allocation limits and printing that all modules share; not exported. */
@NullMarked
package org.gradwire.nn.internal;

import org.jspecify.annotations.NullMarked;
