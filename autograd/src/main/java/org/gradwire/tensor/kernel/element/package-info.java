/**
 * Element types: reading, writing, converting and computing with arrays of one type, in plain Java.
 */
@NullMarked
package org.gradwire.tensor.kernel.element;

import org.jspecify.annotations.NullMarked;
