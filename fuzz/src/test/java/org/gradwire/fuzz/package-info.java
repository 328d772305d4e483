/** Fuzzes the decoders of data from outside: {@code ./gradwire fuzz}. */
@org.jspecify.annotations.NullMarked
package org.gradwire.fuzz;
