package org.gradwire.nn.wire;

import org.gradwire.nn.Module;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.tensor.GradMode;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a module has beyond its structure: the modes of it and its children, and the parameters and
 * buffers of all that do not travel by themselves.
 *
 * @param modules the module and all below it, each before its children
 * @param tensors parameters and buffers, by their path
 */
record ModuleState(List<Module> modules, Map<String, Tensor> tensors) {

    /**
     * Look at a module.
     *
     * @param apart modules below it whose tensors are not part of its state
     */
    static ModuleState of(Module module, Set<Module> apart) {
        var state = new ModuleState(new ArrayList<>(), new LinkedHashMap<>());
        state.add(module, "", false, apart);
        return state;
    }

    private void add(Module module, String path, boolean isApart, Set<Module> apart) {
        modules.add(module);
        if (!isApart) {
            module.namedParameters(false)
                    .forEach((name, parameter) -> tensors.put(path + name, parameter));
            module.namedBuffers(false).forEach((name, buffer) -> tensors.put(path + name, buffer));
        }
        module.namedChildren()
                .forEach((name, child) ->
                        add(child, path + name + ".", isApart || apart.contains(child), apart));
    }

    void write(Output out) {
        out.writeInt(modules.size());
        modules.forEach(module -> out.writeBoolean(module.isTraining()));
        out.writeInt(tensors.size());
        tensors.forEach((path, tensor) -> {
            out.writeString(path);
            out.writeBoolean(tensor.requiresGrad());
            out.writeValue(tensor.detach()); // a copy's gradients are not the original's
        });
    }

    /**
     * Give the module the state that was written.
     *
     * @throws DecodingException when it is that of a module of another structure
     */
    void read(Input in) {
        int count = in.readCount(in.remaining());
        if (count != modules.size()) {
            throw new DecodingException(
                    "the state of %d modules came for %s, which has %d"
                            .formatted(count, name(), modules.size()));
        }
        for (Module module : modules) {
            module.train(in.readBoolean()); // children follow, with their own modes
        }
        int left = in.readCount(in.remaining());
        if (left != tensors.size()) {
            throw new DecodingException(
                    "%d parameters and buffers came for %s, which has %s"
                            .formatted(left, name(), tensors.keySet()));
        }
        Map<String, Tensor> missing = new LinkedHashMap<>(tensors);
        try (var _ = GradMode.noGrad()) {
            for (; left > 0; left--) {
                readTensor(in, missing);
            }
        }
    }

    private void readTensor(Input in, Map<String, Tensor> missing) {
        String path = in.readString();
        Tensor tensor = missing.remove(path);
        if (tensor == null) {
            throw new DecodingException(
                    "parameter '%s' came for %s, which needs %s"
                            .formatted(path, name(), missing.keySet()));
        }
        boolean requiresGrad = in.readBoolean();
        if (!(in.readValue() instanceof Tensor value) || !fits(tensor, value)) {
            throw new DecodingException(
                    "what came for parameter '%s' of %s is no %s of shape %s"
                            .formatted(
                                    path, name(), tensor.dtype(), Arrays.toString(tensor.shape())));
        }
        give(tensor, value);
        tensor.requiresGrad(requiresGrad);
    }

    private static boolean fits(Tensor tensor, Tensor value) {
        boolean types =
                value.dtype() == tensor.dtype()
                        || (value.dtype().isFloating() && tensor.dtype().isFloating());
        return types && !value.isSparse() && Arrays.equals(value.shape(), tensor.shape());
    }

    /** Give a tensor the elements, type and device of what came. */
    private static void give(Tensor tensor, Tensor value) {
        if (value.dtype() == tensor.dtype() && value.device().equals(tensor.device())) {
            tensor.copy_(value);
        } else {
            tensor.data(value.copy());
        }
    }

    private String name() {
        return modules.getFirst().getClass().getName();
    }
}
