/** Tests of the starter, with application contexts over {@code inproc}. */
@NullMarked
package org.gradwire.spring;

import org.jspecify.annotations.NullMarked;
