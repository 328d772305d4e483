package org.gradwire.optim;

import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Parameters of an {@link Optimizer} with common options, which may be replaced between steps.
 *
 * @param <O> type of the options
 */
public final class ParameterGroup<O extends Record & OptimizerOptions<O>> {
    private final List<Tensor> parameters;
    private O options;

    ParameterGroup(List<Tensor> parameters, O options) {
        options.validate();
        this.parameters = List.copyOf(parameters);
        this.options = options;
    }

    /** {@return the parameters, in the order they were given} */
    public List<Tensor> parameters() {
        return parameters;
    }

    /** {@return the options of the next step} */
    public O options() {
        return options;
    }

    /**
     * Replace the options.
     *
     * @throws IllegalArgumentException when they are inconsistent
     */
    public void options(O newOptions) {
        newOptions.validate();
        options = newOptions;
    }

    @Override
    public String toString() {
        return "%d parameters, %s".formatted(parameters.size(), options);
    }
}
