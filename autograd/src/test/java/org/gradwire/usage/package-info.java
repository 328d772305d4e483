/** Tests from outside: what a program sees of tensors that its own packages use. */
@NullMarked
package org.gradwire.usage;

import org.jspecify.annotations.NullMarked;
