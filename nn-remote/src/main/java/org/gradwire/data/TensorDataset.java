package org.gradwire.data;

import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.List;

/**
 * A dataset whose samples are rows of tensors, as views. The counterpart of {@code
 * torch.utils.data.TensorDataset}.
 */
public final class TensorDataset implements Dataset<List<Tensor>> {
    private final List<Tensor> tensors;

    /**
     * Create a dataset.
     *
     * @param tensors at least one, all with as many rows
     * @throws IllegalArgumentException when they are not
     */
    public TensorDataset(Tensor... tensors) {
        this.tensors = List.of(tensors);
        for (Tensor tensor : tensors) {
            if (tensor.dim() == 0 || tensor.size(0) != tensors[0].size(0)) {
                throw new IllegalArgumentException(
                        "Size mismatch between tensors: shapes %s and %s; the first extents must be the same"
                                .formatted(
                                        Arrays.toString(tensors[0].shape()),
                                        Arrays.toString(tensor.shape())));
            }
        }
        if (tensors.length == 0) {
            throw new IllegalArgumentException("a dataset needs at least one tensor");
        }
    }

    @Override
    public int size() {
        return tensors.getFirst().size(0);
    }

    @Override
    public List<Tensor> get(int index) {
        return tensors.stream().map(tensor -> tensor.select(0, index)).toList();
    }
}
