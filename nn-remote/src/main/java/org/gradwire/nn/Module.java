package org.gradwire.nn;

import org.gradwire.tensor.Tensor;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a model: parameters, and other modules, by name. The counterpart of {@code
 * torch.nn.Module}.
 *
 * <p>A subclass registers its parameters and children in its constructor and offers whatever {@code
 * forward} method suits it; one from a tensor to a tensor makes it a {@link Layer}. Not thread-safe
 * while it is being built; afterwards {@code forward} may be called by many threads as long as
 * nobody changes the parameters. One that is to travel between workers is a {@link WireModule} too.
 */
public abstract class Module {
    private final Map<String, Tensor> parameters = new LinkedHashMap<>();
    private final Map<String, Module> children = new LinkedHashMap<>();
    private boolean training = true;

    /** Create a module without parameters or children. */
    protected Module() {}

    /**
     * Register a parameter: a leaf that requires a gradient from now on.
     *
     * @param name unique in this module, without dots
     * @return the tensor
     * @throws IllegalArgumentException when the name is taken or has a dot, or the tensor is no
     *     leaf
     */
    protected final Tensor registerParameter(String name, Tensor tensor) {
        checkName(name);
        if (!tensor.isLeaf()) {
            throw new IllegalArgumentException(
                    "parameter '%s' is the result of %s; register a leaf (detach it first)"
                            .formatted(name, tensor.gradFn()));
        }
        parameters.put(name, tensor.requiresGrad(true));
        return tensor;
    }

    /**
     * Register a child.
     *
     * @param name unique in this module, without dots
     * @return the child
     */
    protected final <M extends Module> M registerModule(String name, M child) {
        checkName(name);
        children.put(name, child);
        return child;
    }

    private void checkName(String name) {
        if (name.isEmpty() || name.contains(".")) {
            throw new IllegalArgumentException(
                    "'" + name + "' cannot name a part of a module; use a name without dots");
        }
        if (parameters.containsKey(name) || children.containsKey(name)) {
            throw new IllegalArgumentException(
                    "%s has a part named '%s' already".formatted(getClass().getSimpleName(), name));
        }
    }

    /** {@return the parameters of this module and its children, the own ones first} */
    public final List<Tensor> parameters() {
        return List.copyOf(namedParameters().values());
    }

    /** {@return the parameters by their path: {@code weight}, {@code layer1.weight}} */
    public final Map<String, Tensor> namedParameters() {
        var all = new LinkedHashMap<>(parameters);
        children.forEach((name, child) ->
                child.namedParameters()
                        .forEach((path, tensor) -> all.put(name + "." + path, tensor)));
        return Collections.unmodifiableMap(all);
    }

    /** {@return the direct children, in the order they were registered} */
    public final Collection<Module> children() {
        return Collections.unmodifiableCollection(children.values());
    }

    /** {@return the direct children by their names, in the order they were registered} */
    public final Map<String, Module> namedChildren() {
        return Collections.unmodifiableMap(children);
    }

    /** Put this module and its children into training mode, or out of it. */
    public void train(boolean mode) {
        training = mode;
        children.values().forEach(child -> child.train(mode));
    }

    /** {@return whether it is in training mode; new modules are} */
    public final boolean isTraining() {
        return training;
    }

    /**
     * {@return what is saved of this module: its parameters by their path, as {@link
     * #namedParameters} has them. They share the memory of the parameters, and require no gradient;
     * the map may be changed}
     */
    public final Map<String, Tensor> stateDict() {
        Map<String, Tensor> state = new LinkedHashMap<>();
        namedParameters().forEach((path, parameter) -> state.put(path, parameter.detach()));
        return state;
    }

    /** As {@link #loadStateDict(Map, boolean)}, strictly. */
    public final IncompatibleKeys loadStateDict(Map<String, Tensor> state) {
        return loadStateDict(state, true);
    }

    /**
     * Copy a state into the parameters of this module and its children, which stay the tensors that
     * they are and keep their element types.
     *
     * @param state tensors by path; see {@link #stateDict}
     * @param strict whether each path must be there, and no other
     * @return the paths that are not on both sides; empty when it was strict
     * @throws IllegalArgumentException when a path is missing or unexpected and it is strict, or
     *     when a shape differs. It names all of them, and nothing was changed
     */
    public final IncompatibleKeys loadStateDict(Map<String, Tensor> state, boolean strict) {
        return StateLoading.load(this, state, strict);
    }

    /** Forget the gradients of all parameters. */
    public final void zeroGrad() {
        parameters().forEach(parameter -> parameter.grad(null));
    }
}
