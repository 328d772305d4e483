/**
 * Automatic differentiation on one machine, after PyTorch's autograd.
 *
 * <p>An operator whose operands require gradients gives its result a {@link
 * org.gradwire.autograd.Node}; the nodes form the backward graph. {@link
 * org.gradwire.autograd.GraphTask} is the engine: it runs one backward pass over such a graph.
 * {@link org.gradwire.autograd.Gradients} computes gradients as a function, {@link
 * org.gradwire.autograd.AutogradFunction} defines differentiable functions, {@link
 * org.gradwire.autograd.GradMode} switches recording off, {@link org.gradwire.autograd.AnomalyMode}
 * finds the node that fails or produces NaN, and {@link org.gradwire.autograd.AutogradGraph} draws
 * the graph. Gradients are not recorded, so second derivatives are not available.
 *
 * <p>{@code org.gradwire.autograd.distributed} extends this over several workers.
 */
@NullMarked
package org.gradwire.autograd;

import org.jspecify.annotations.NullMarked;
