package org.gradwire.nn;

import org.gradwire.nn.internal.ConstructionLimit;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The base class of neural-network modules: named parameters, buffers and child modules. The
 * counterpart of {@code torch.nn.Module}.
 *
 * <p>A subclass registers its parameters, buffers and children in its constructor, keeps them in
 * final fields, and declares a {@code forward} method of any signature; a method from tensor to
 * tensor makes it a {@link Layer}. A parameter is trained; a buffer, such as a running mean, is
 * state that is not trained.
 *
 * <p>Not thread-safe during construction and moves; afterwards several threads may call {@code
 * forward} as long as no thread changes the parameters. A module that is sent to other workers also
 * implements {@link WireModule}.
 */
public abstract class Module {
    private final Map<String, Tensor> parameters = new LinkedHashMap<>();
    private final Map<String, Buffer> buffers = new LinkedHashMap<>();
    private final Map<String, Module> children = new LinkedHashMap<>();
    private boolean training = true;

    private record Buffer(Tensor tensor, boolean persistent) {}

    /** Create a module without parameters, buffers or children. */
    protected Module() {
        ConstructionLimit.takeModule();
    }

    /**
     * Register a leaf as a parameter and make it require a gradient.
     *
     * @param name unique in this module, without dots
     * @return the tensor
     * @throws IllegalArgumentException when the name is taken or has a dot, or the tensor is not a
     *     leaf
     */
    public final Tensor registerParameter(String name, Tensor tensor) {
        checkName(name);
        if (!tensor.isLeaf()) {
            throw new IllegalArgumentException(
                    "parameter '%s' is the result of %s; register a leaf (detach it first)"
                            .formatted(name, tensor.gradFn()));
        }
        ConstructionLimit.takeTensor(ParameterTensors.bytes(tensor));
        parameters.put(name, tensor.requiresGrad(true));
        return tensor;
    }

    /** Register a persistent buffer; see {@link #registerBuffer(String, Tensor, boolean)}. */
    public final Tensor registerBuffer(String name, Tensor tensor) {
        return registerBuffer(name, tensor, true);
    }

    /**
     * Register a buffer: a tensor that is not trained but moves with the module. Moves change it in
     * place.
     *
     * @param name unique in this module, without dots
     * @param persistent whether it is in the {@linkplain #stateDict saved state}
     * @return the tensor
     * @throws IllegalArgumentException when the name is taken or has a dot, or the tensor requires
     *     a gradient
     */
    public final Tensor registerBuffer(String name, Tensor tensor, boolean persistent) {
        checkName(name);
        if (tensor.requiresGrad()) {
            throw new IllegalArgumentException(
                    "buffer '%s' requires a gradient; register it as a parameter, or detach it first"
                            .formatted(name));
        }
        ConstructionLimit.takeTensor(ParameterTensors.bytes(tensor));
        buffers.put(name, new Buffer(tensor, persistent));
        return tensor;
    }

    /**
     * Register a child.
     *
     * @param name unique in this module, without dots
     * @return the child
     */
    public final <M extends Module> M registerModule(String name, M child) {
        checkName(name);
        children.put(name, child);
        return child;
    }

    private void checkName(String name) {
        if (name.isEmpty() || name.contains(".")) {
            throw new IllegalArgumentException(
                    "'" + name + "' cannot name a part of a module; use a name without dots");
        }
        if (parameters.containsKey(name)
                || buffers.containsKey(name)
                || children.containsKey(name)) {
            throw new IllegalArgumentException(
                    "%s has a part named '%s' already".formatted(getClass().getSimpleName(), name));
        }
    }

    /** {@return the parameters of this module and its descendants, its own first, each once} */
    public final List<Tensor> parameters() {
        return List.copyOf(namedParameters().values());
    }

    /**
     * {@return the parameters by their path: {@code weight}, {@code layer1.weight}; a shared one
     * under its first path}
     */
    public final Map<String, Tensor> namedParameters() {
        return namedParameters(true);
    }

    /**
     * {@return as {@link #namedParameters()}, or the parameters of this module alone}
     *
     * @param recurse whether to include those of descendants
     */
    public final Map<String, Tensor> namedParameters(boolean recurse) {
        return recurse
                ? ModuleTree.tensors(this, module -> module.parameters)
                : Collections.unmodifiableMap(parameters);
    }

    /** {@return the buffers of this module and its descendants, its own first, each once} */
    public final List<Tensor> buffers() {
        return List.copyOf(namedBuffers().values());
    }

    /** {@return the buffers by their path; a shared one under its first path} */
    public final Map<String, Tensor> namedBuffers() {
        return namedBuffers(true);
    }

    /**
     * {@return as {@link #namedBuffers()}, or the buffers of this module alone}
     *
     * @param recurse whether to include those of descendants
     */
    public final Map<String, Tensor> namedBuffers(boolean recurse) {
        if (recurse) {
            return ModuleTree.tensors(this, module -> module.namedBuffers(false));
        }
        Map<String, Tensor> all = new LinkedHashMap<>();
        buffers.forEach((name, buffer) -> all.put(name, buffer.tensor));
        return Collections.unmodifiableMap(all);
    }

    /** {@return the parameters and persistent buffers of this module alone, by name} */
    final Map<String, Tensor> ownState() {
        Map<String, Tensor> all = new LinkedHashMap<>(parameters);
        buffers.forEach((name, buffer) -> {
            if (buffer.persistent) {
                all.put(name, buffer.tensor);
            }
        });
        return all;
    }

    /** {@return the direct children, in order of registration} */
    public final Collection<Module> children() {
        return Collections.unmodifiableCollection(children.values());
    }

    /** {@return the direct children by name, in order of registration} */
    public final Map<String, Module> namedChildren() {
        return Collections.unmodifiableMap(children);
    }

    /** {@return this module and its descendants, parents before children, each once} */
    public final List<Module> modules() {
        return List.copyOf(namedModules().values());
    }

    /** {@return this module, under the empty path, and its descendants by path, each once} */
    public final Map<String, Module> namedModules() {
        return ModuleTree.modules(this);
    }

    /** Put this module and its descendants into training mode or evaluation mode. */
    public void train(boolean mode) {
        training = mode;
        children.values().forEach(child -> child.train(mode));
    }

    /** Put this module and its descendants into training mode. */
    public final void train() {
        train(true);
    }

    /** Put this module and its descendants into evaluation mode. */
    public final void eval() {
        train(false);
    }

    /** {@return whether this module is in training mode, as new modules are} */
    public final boolean isTraining() {
        return training;
    }

    /**
     * Set whether the parameters of this module and its descendants require gradients; false
     * freezes them.
     */
    public final void requiresGrad(boolean wanted) {
        parameters().forEach(parameter -> parameter.requiresGrad(wanted));
    }

    /**
     * Move the parameters, their gradients and the buffers of this module and its descendants to a
     * device. The tensor objects stay the same, so optimizers keep working; an optimizer's own
     * state is not moved. Graphs recorded before the move become unusable.
     *
     * @throws IllegalArgumentException when the device does not exist; nothing was moved
     */
    public final void to(Device device) {
        ModuleTree.convert(this, tensor -> tensor.to(device));
    }

    /**
     * Convert the parameters, their gradients and floating-point buffers to another type; otherwise
     * as {@link #to(Device)}.
     *
     * @throws IllegalArgumentException when the type is not floating-point
     */
    public final void to(DType dtype) {
        if (!dtype.isFloating()) {
            throw new IllegalArgumentException(
                    "a module's parameters cannot be of %s; choose a floating-point type"
                            .formatted(dtype));
        }
        ModuleTree.convert(this, tensor -> tensor.dtype().isFloating() ? tensor.to(dtype) : tensor);
    }

    /** Apply an action to all descendants, children first, and then to this module. */
    public final void apply(Consumer<Module> action) {
        children.values().forEach(child -> child.apply(action));
        action.accept(this);
    }

    /**
     * {@return the state of this module: its parameters and persistent buffers by path, shared ones
     * under each of their paths. The tensors share memory with the module's and require no
     * gradient; the map is modifiable}
     */
    public final Map<String, Tensor> stateDict() {
        Map<String, Tensor> state = new LinkedHashMap<>();
        ModuleTree.state(this).forEach((path, tensor) -> state.put(path, tensor.detach()));
        return state;
    }

    /** Load a state strictly; see {@link #loadStateDict(Map, boolean)}. */
    public final IncompatibleKeys loadStateDict(Map<String, Tensor> state) {
        return loadStateDict(state, true);
    }

    /**
     * Copy a state into the parameters and buffers of this module and its descendants. The tensor
     * objects, their element types and devices stay the same.
     *
     * @param state tensors by path; see {@link #stateDict}
     * @param strict whether the paths must match exactly
     * @return the missing and unexpected paths; empty when strict
     * @throws IllegalArgumentException when shapes differ or, if strict, paths are missing or
     *     unexpected. The message names all of them; nothing was changed
     */
    public final IncompatibleKeys loadStateDict(Map<String, Tensor> state, boolean strict) {
        return StateLoading.load(this, state, strict);
    }

    /**
     * Write the {@linkplain #stateDict state} to a file of the safetensors format; see {@link
     * SafeTensors#save(Path, Map, Map)} to save other tensors and metadata.
     */
    public final void save(Path file) throws IOException {
        SafeTensors.save(file, stateDict());
    }

    /**
     * Read a state from a file of the safetensors format, strictly.
     *
     * @throws IllegalArgumentException when the state belongs to another model; see {@link
     *     #loadStateDict(Map)}
     */
    public final void load(Path file) throws IOException {
        var _ = loadStateDict(SafeTensors.load(file));
    }

    /** Clear the gradients of all parameters. */
    public final void zeroGrad() {
        zeroGrad(true);
    }

    /** Clear the gradients of all parameters, or set them to zero: {@link Tensor#zeroGrad}. */
    public final void zeroGrad(boolean setToNone) {
        parameters().forEach(parameter -> parameter.zeroGrad(setToNone));
    }

    /**
     * {@return the options printed in this module's parentheses, as {@code in_features=2,
     * bias=True}}
     */
    protected String extraRepr() {
        return "";
    }

    /** {@return the children printed below this module, by name} */
    Map<String, ?> printedParts() {
        return children;
    }

    /** {@return the tree of this module and its descendants, as PyTorch prints it} */
    @Override
    public String toString() {
        return ModulePrinter.print(this);
    }

    /**
     * {@return a table of this module and its descendants: path, type, parameter shapes and element
     * counts, each parameter counted once}
     */
    public final String summary() {
        return ModulePrinter.summary(this);
    }
}
