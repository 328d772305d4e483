package org.gradwire.optim;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The state of a parameter that an {@link Optimizer} keeps between steps, by name. It is part of
 * the optimizer's saved state.
 */
public final class ParameterState {
    private final Tensor parameter;
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private long step;

    ParameterState(Tensor parameter) {
        this.parameter = parameter;
    }

    /** {@return the number of the current update, from 1} */
    public long step() {
        return step;
    }

    /** {@return whether a tensor of a name exists} */
    public boolean has(String name) {
        return tensors.containsKey(name);
    }

    /** Return a mutable tensor, initially zeros of the parameter's shape. */
    public Tensor get(String name) {
        return get(name, () -> Tensor.zerosLike(parameter));
    }

    /**
     * Return a mutable tensor.
     *
     * @param first creates the tensor if it does not exist: with its own memory, of a shape that
     *     broadcasts to the parameter's
     */
    public Tensor get(String name, Supplier<Tensor> first) {
        return tensors.computeIfAbsent(name, _ -> TensorScope.outside(first));
    }

    void beginStep() {
        step++;
    }

    void put(String name, Tensor tensor) {
        tensors.put(name, tensor);
    }

    void step(long number) {
        step = number;
    }

    Map<String, Tensor> tensors() {
        return Collections.unmodifiableMap(tensors);
    }
}
