/**
 * Tensors and their operators.
 *
 * <p>{@link org.gradwire.tensor.Tensor} holds numbers and has most operators as methods; {@link
 * org.gradwire.tensor.Ops} has all of them as static methods, which can be called on other workers.
 * Each operator is one row of a table (package {@code operator}): its signature, forward rule, what
 * its gradient keeps, and its gradient. The rules are in {@code rule} and {@code sparse}, the
 * memory of tensors in {@code storage}, the loops over elements in {@code kernel}. Backward graphs
 * are in {@code org.gradwire.autograd}.
 *
 * <p><b>Threads.</b> Tensors have no locks: one that is being written must not be used by another
 * thread. Reading a tensor, and using it in operators, is safe from many threads.
 */
@NullMarked
package org.gradwire.tensor;

import org.jspecify.annotations.NullMarked;
