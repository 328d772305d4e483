/** Every kind of thing a program does with Gradwire, once. */
@NullMarked
package org.gradwire.examples.tour;

import org.jspecify.annotations.NullMarked;
