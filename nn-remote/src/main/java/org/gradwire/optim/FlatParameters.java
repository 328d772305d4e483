package org.gradwire.optim;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** A view of parameters as one flat vector. */
final class FlatParameters {
    private final List<Tensor> parameters;

    FlatParameters(List<Tensor> parameters) {
        this.parameters = parameters;
    }

    /** {@return the number of elements of all parameters} */
    int size() {
        return parameters.stream().mapToInt(Tensor::numel).sum();
    }

    /** {@return a copy of the gradients; zero where a parameter has none} */
    Tensor gradient() {
        return Ops.cat(parameters.stream().map(FlatParameters::gradient).toList(), 0);
    }

    private static Tensor gradient(Tensor parameter) {
        Tensor gradient = parameter.grad();
        return gradient == null
                ? Tensor.zerosLike(parameter).flatten()
                : gradient.toDense().flatten();
    }

    /** Add a multiple of a vector. */
    void add(Tensor vector, double factor) {
        int first = 0;
        for (Tensor parameter : parameters) {
            int count = parameter.numel();
            parameter.add_(vector.narrow(0, first, count).viewAs(parameter), factor);
            first += count;
        }
    }

    /** {@return copies of the parameters, for {@link #restore}} */
    List<Tensor> copies() {
        return parameters.stream().map(parameter -> parameter.detach().copy()).toList();
    }

    /** Restore the parameters from the result of {@link #copies}. */
    void restore(List<Tensor> copies) {
        for (int i = 0; i < copies.size(); i++) {
            parameters.get(i).copy_(copies.get(i));
        }
    }
}
