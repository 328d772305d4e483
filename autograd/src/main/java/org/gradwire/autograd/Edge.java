package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;

/**
 * The destination of a gradient: an input of a node.
 *
 * @param node receives the gradient
 * @param inputIndex index of the node's input, which is the index of the operator's output
 */
public record Edge(Node node, int inputIndex) {

    /**
     * Return the destination of a tensor's gradient: the node that computed the tensor, or the
     * {@link AccumulateGrad} of a leaf.
     *
     * @throws IllegalArgumentException when the tensor requires no gradient
     */
    public static Edge of(Tensor tensor) {
        Node made = tensor.gradFn();
        if (made != null) {
            return new Edge(made, tensor.outputIndex());
        }
        return AccumulateGrad.of(tensor).edge();
    }
}
