package org.gradwire.tensor;

import java.util.List;

/**
 * Elements of a tensor found along a dimension, with their indices.
 *
 * @param values the elements found
 * @param indices index of each along the dimension, int64; they have no gradient
 */
public record ValuesAndIndices(Tensor values, Tensor indices) {

    static ValuesAndIndices of(List<Tensor> results) {
        return new ValuesAndIndices(results.get(0), results.get(1));
    }
}
