/** Actions of an operator on a running group, which must not affect its calls. */
@NullMarked
package org.gradwire.attack.operator;

import org.jspecify.annotations.NullMarked;
