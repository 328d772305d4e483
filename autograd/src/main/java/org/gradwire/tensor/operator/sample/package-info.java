/** Sample arguments and error samples of operators, which tests run over. */
@NullMarked
package org.gradwire.tensor.operator.sample;

import org.jspecify.annotations.NullMarked;
