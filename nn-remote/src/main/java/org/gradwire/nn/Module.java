package org.gradwire.nn;

import org.gradwire.nn.limit.ConstructionLimit;
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
 * A part of a model: parameters, buffers, and other modules, by name. The counterpart of {@code
 * torch.nn.Module}.
 *
 * <p>A subclass registers its parameters, buffers and children in its constructor, keeps them in
 * final fields, and offers whatever {@code forward} method suits it; one from a tensor to a tensor
 * makes it a {@link Layer}. A parameter is trained; a buffer is not, but belongs to the state, as a
 * running mean does.
 *
 * <p>Not thread-safe while it is being built or moved; afterwards {@code forward} may be called by
 * many threads as long as nobody changes the parameters. One that is to travel between workers is a
 * {@link WireModule} too.
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
        ConstructionLimit.takeTensor(Parameters.bytes(tensor));
        parameters.put(name, tensor.requiresGrad(true));
        return tensor;
    }

    /** As {@link #registerBuffer(String, Tensor, boolean)}, in the saved state. */
    protected final Tensor registerBuffer(String name, Tensor tensor) {
        return registerBuffer(name, tensor, true);
    }

    /**
     * Register a buffer: a tensor that is not trained, but moves with the module. It is changed in
     * place.
     *
     * @param name unique in this module, without dots
     * @param persistent whether it is in the {@linkplain #stateDict saved state}
     * @return the tensor
     * @throws IllegalArgumentException when the name is taken or has a dot, or the tensor requires
     *     a gradient
     */
    protected final Tensor registerBuffer(String name, Tensor tensor, boolean persistent) {
        checkName(name);
        if (tensor.requiresGrad()) {
            throw new IllegalArgumentException(
                    "buffer '%s' requires a gradient; register it as a parameter, or detach it first"
                            .formatted(name));
        }
        ConstructionLimit.takeTensor(Parameters.bytes(tensor));
        buffers.put(name, new Buffer(tensor, persistent));
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
        if (parameters.containsKey(name)
                || buffers.containsKey(name)
                || children.containsKey(name)) {
            throw new IllegalArgumentException(
                    "%s has a part named '%s' already".formatted(getClass().getSimpleName(), name));
        }
    }

    /** {@return the parameters of this module and all below it, the own ones first, each once} */
    public final List<Tensor> parameters() {
        return List.copyOf(namedParameters().values());
    }

    /**
     * {@return the parameters by their path: {@code weight}, {@code layer1.weight}; one that is
     * shared has the first of its paths}
     */
    public final Map<String, Tensor> namedParameters() {
        return namedParameters(true);
    }

    /**
     * {@return as {@link #namedParameters()}, or the parameters of this module alone}
     *
     * @param recurse whether those below this module are wanted too
     */
    public final Map<String, Tensor> namedParameters(boolean recurse) {
        return recurse
                ? ModuleTree.tensors(this, module -> module.parameters)
                : Collections.unmodifiableMap(parameters);
    }

    /** {@return the buffers of this module and all below it, the own ones first, each once} */
    public final List<Tensor> buffers() {
        return List.copyOf(namedBuffers().values());
    }

    /** {@return the buffers by their path; one that is shared has the first of its paths} */
    public final Map<String, Tensor> namedBuffers() {
        return namedBuffers(true);
    }

    /**
     * {@return as {@link #namedBuffers()}, or the buffers of this module alone}
     *
     * @param recurse whether those below this module are wanted too
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

    /** {@return the direct children, in the order they were registered} */
    public final Collection<Module> children() {
        return Collections.unmodifiableCollection(children.values());
    }

    /** {@return the direct children by their names, in the order they were registered} */
    public final Map<String, Module> namedChildren() {
        return Collections.unmodifiableMap(children);
    }

    /** {@return this module and all below it, each before its children, each once} */
    public final List<Module> modules() {
        return List.copyOf(namedModules().values());
    }

    /** {@return this module, whose path is empty, and all below it by their paths, each once} */
    public final Map<String, Module> namedModules() {
        return ModuleTree.modules(this);
    }

    /** Put this module and its children into training mode, or out of it. */
    public void train(boolean mode) {
        training = mode;
        children.values().forEach(child -> child.train(mode));
    }

    /** Put this module and its children into training mode. */
    public final void train() {
        train(true);
    }

    /** Put this module and its children into evaluation mode. */
    public final void eval() {
        train(false);
    }

    /** {@return whether it is in training mode; new modules are} */
    public final boolean isTraining() {
        return training;
    }

    /**
     * Say whether the parameters of this module and all below it get gradients; without, they are
     * frozen.
     */
    public final void requiresGrad(boolean wanted) {
        parameters().forEach(parameter -> parameter.requiresGrad(wanted));
    }

    /**
     * Move the parameters, with their gradients, and the buffers of this module and all below it to
     * a device. They stay the same tensors, so optimizers go on with them, unless they have a state
     * of their own already, which stays where it is. What was recorded with the parameters before
     * cannot be used any more.
     *
     * @throws IllegalArgumentException when there is no such device; nothing was moved
     */
    public final void to(Device device) {
        ModuleTree.convert(this, tensor -> tensor.to(device));
    }

    /**
     * Convert the parameters, with their gradients, and those buffers that hold fractions to
     * another type; as {@link #to(Device)} otherwise.
     *
     * @throws IllegalArgumentException when the type holds no fractions
     */
    public final void to(DType dtype) {
        if (!dtype.isFloating()) {
            throw new IllegalArgumentException(
                    "a module's parameters hold fractions and cannot be of %s; take a floating-point type"
                            .formatted(dtype));
        }
        ModuleTree.convert(this, tensor -> tensor.dtype().isFloating() ? tensor.to(dtype) : tensor);
    }

    /** Do something with each module below this one, children first, and then with this one. */
    public final void apply(Consumer<Module> action) {
        children.values().forEach(child -> child.apply(action));
        action.accept(this);
    }

    /**
     * {@return what is saved of this module: its parameters and persistent buffers by their path,
     * shared ones under each of theirs. They share the memory of those tensors, and require no
     * gradient; the map may be changed}
     */
    public final Map<String, Tensor> stateDict() {
        Map<String, Tensor> state = new LinkedHashMap<>();
        ModuleTree.state(this).forEach((path, tensor) -> state.put(path, tensor.detach()));
        return state;
    }

    /** As {@link #loadStateDict(Map, boolean)}, strictly. */
    public final IncompatibleKeys loadStateDict(Map<String, Tensor> state) {
        return loadStateDict(state, true);
    }

    /**
     * Copy a state into the parameters and buffers of this module and its children, which stay the
     * tensors that they are and keep their element types and devices.
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

    /**
     * Write the {@linkplain #stateDict state} to a file of the safetensors format; see {@link
     * SafeTensors#save(Path, Map, Map)} for more than that.
     */
    public final void save(Path file) throws IOException {
        SafeTensors.save(file, stateDict());
    }

    /**
     * Read a state from a file of the safetensors format, strictly.
     *
     * @throws IllegalArgumentException when it is that of another model; see {@link
     *     #loadStateDict(Map)}
     */
    public final void load(Path file) throws IOException {
        var _ = loadStateDict(SafeTensors.load(file));
    }

    /** Forget the gradients of all parameters. */
    public final void zeroGrad() {
        zeroGrad(true);
    }

    /** Forget the gradients of all parameters, or set them to zero: {@link Tensor#zeroGrad}. */
    public final void zeroGrad(boolean setToNone) {
        parameters().forEach(parameter -> parameter.zeroGrad(setToNone));
    }

    /**
     * {@return what stands between the parentheses where this module is printed: its options, as
     * {@code in_features=2, bias=True}}
     */
    protected String extraRepr() {
        return "";
    }

    /** {@return the parts that are printed below this module, by name} */
    Map<String, ?> printedParts() {
        return children;
    }

    /** {@return the module and all below it as a tree, as PyTorch prints it} */
    @Override
    public String toString() {
        return ModulePrinter.print(this);
    }

    /**
     * {@return a table of this module and all below it: path, type, the shapes of the parameters,
     * and how many numbers they have, each counted once}
     */
    public final String summary() {
        return ModulePrinter.summary(this);
    }
}
