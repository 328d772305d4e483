package org.gradwire.optim;

import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Parameters that an {@link Optimizer} treats alike. The options may be replaced at any time
 * between two steps.
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
     * @throws IllegalArgumentException when they do not fit together
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
