/** Futures: completed once, waited for, called back from. */
@NullMarked
package org.gradwire.runtime.future;

import org.jspecify.annotations.NullMarked;
