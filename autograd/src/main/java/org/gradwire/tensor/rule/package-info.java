/** Forward rules and gradients of the operators. Rules see plain tensors and record nothing. */
@NullMarked
package org.gradwire.tensor.rule;

import org.jspecify.annotations.NullMarked;
