package org.gradwire.tensor;

/**
 * Where a gradient flows to: an input of a node.
 *
 * @param node receives the gradient
 * @param inputIndex which of the node's inputs it is; that is, of which of the outputs of the
 *     operator that the node stands for
 */
public record Edge(Node node, int inputIndex) {

    /**
     * Return where the gradient of a tensor flows to: the node that made it, or, for a leaf, its
     * {@link AccumulateGrad}.
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
