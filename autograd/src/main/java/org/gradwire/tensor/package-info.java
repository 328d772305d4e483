/**
 * Tensors and automatic differentiation on one machine.
 *
 * <p>{@link org.gradwire.tensor.Tensor} holds numbers and has the operators as methods; {@link
 * org.gradwire.tensor.Ops} has the same operators as static methods, which can be called on other
 * workers. Each operator is one row of a table that says its signature, its forward rule, what its
 * gradient needs to keep, and its gradient. Results of tensors that require gradients are linked by
 * {@link org.gradwire.tensor.Node}s; {@link org.gradwire.tensor.GraphTask} runs such a graph
 * backward. {@link org.gradwire.tensor.AutogradFunction} adds functions of one's own, {@link
 * org.gradwire.tensor.AnomalyMode} finds out what fails, and {@link
 * org.gradwire.tensor.AutogradGraph} draws. Gradients are not recorded: there are no gradients of
 * gradients.
 *
 * <p><b>Threads.</b> Tensors have no locks: one that is being written must not be used by another
 * thread. Reading a tensor, and using it in operators, is safe from many threads.
 */
@NullMarked
package org.gradwire.tensor;

import org.jspecify.annotations.NullMarked;
