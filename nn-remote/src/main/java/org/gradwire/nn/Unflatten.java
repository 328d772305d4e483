package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Expands one dimension into several.
 *
 * @param dim the dimension
 * @param unflattenedSize the sizes; one may be -1, which is inferred
 */
@WireValue
public record Unflatten(int dim, List<Integer> unflattenedSize) implements Layer {

    /** Validates the options. */
    public Unflatten {
        unflattenedSize = List.copyOf(unflattenedSize);
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.unflatten(dim, unflattenedSize.stream().mapToInt(Integer::intValue).toArray());
    }

    @Override
    public String toString() {
        return "Unflatten(dim=%d, unflattened_size=(%s))"
                .formatted(
                        dim,
                        unflattenedSize.stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(", ")));
    }
}
