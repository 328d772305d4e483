/** The rules of stores, their checks, and stores that are broken on purpose. */
@NullMarked
package org.gradwire.conformance.stores;

import org.jspecify.annotations.NullMarked;
