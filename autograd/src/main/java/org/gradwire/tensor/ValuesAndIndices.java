package org.gradwire.tensor;

import java.util.List;

/**
 * What was found along a dimension of a tensor.
 *
 * @param values the elements found
 * @param indices where each lies along the dimension, int64; they have no gradient
 */
public record ValuesAndIndices(Tensor values, Tensor indices) {

    static ValuesAndIndices of(List<Tensor> results) {
        return new ValuesAndIndices(results.get(0), results.get(1));
    }
}
