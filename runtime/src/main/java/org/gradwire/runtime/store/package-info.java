/** The stores in which groups meet: over TCP, in a file, within a JVM. */
@NullMarked
package org.gradwire.runtime.store;

import org.jspecify.annotations.NullMarked;
