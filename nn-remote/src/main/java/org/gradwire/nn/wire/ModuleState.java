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
 * What a module has beyond its structure: the modes of it and its children, and the parameters of
 * all that do not travel by themselves.
 *
 * @param modules the module and all below it, each before its children
 * @param parameters by their path
 */
record ModuleState(List<Module> modules, Map<String, Tensor> parameters) {

    /**
     * Look at a module.
     *
     * @param apart modules below it whose parameters are not part of its state
     */
    static ModuleState of(Module module, Set<Module> apart) {
        var state = new ModuleState(new ArrayList<>(), new LinkedHashMap<>());
        state.add(module, "", false, apart);
        return state;
    }

    private void add(Module module, String path, boolean isApart, Set<Module> apart) {
        modules.add(module);
        if (!isApart) {
            module.namedParameters()
                    .forEach((name, parameter) -> {
                        if (name.indexOf('.') < 0) { // else it is a child's
                            parameters.put(path + name, parameter);
                        }
                    });
        }
        module.namedChildren()
                .forEach((name, child) ->
                        add(child, path + name + ".", isApart || apart.contains(child), apart));
    }

    void write(Output out) {
        out.writeInt(modules.size());
        modules.forEach(module -> out.writeBoolean(module.isTraining()));
        out.writeInt(parameters.size());
        parameters.forEach((path, parameter) -> {
            out.writeString(path);
            out.writeBoolean(parameter.requiresGrad());
            out.writeValue(parameter.detach()); // a copy's gradients are not the original's
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
        if (left != parameters.size()) {
            throw new DecodingException(
                    "%d parameters came for %s, which has %s"
                            .formatted(left, name(), parameters.keySet()));
        }
        Map<String, Tensor> missing = new LinkedHashMap<>(parameters);
        try (var _ = GradMode.noGrad()) {
            for (; left > 0; left--) {
                readParameter(in, missing);
            }
        }
    }

    private void readParameter(Input in, Map<String, Tensor> missing) {
        String path = in.readString();
        Tensor parameter = missing.remove(path);
        if (parameter == null) {
            throw new DecodingException(
                    "parameter '%s' came for %s, which needs %s"
                            .formatted(path, name(), missing.keySet()));
        }
        boolean requiresGrad = in.readBoolean();
        if (!(in.readValue() instanceof Tensor value)
                || value.dtype() != parameter.dtype()
                || !Arrays.equals(value.shape(), parameter.shape())) {
            throw new DecodingException(
                    "what came for parameter '%s' of %s is no %s of shape %s"
                            .formatted(
                                    path,
                                    name(),
                                    parameter.dtype(),
                                    Arrays.toString(parameter.shape())));
        }
        parameter.copy_(value);
        parameter.requiresGrad(requiresGrad);
    }

    private String name() {
        return modules.getFirst().getClass().getName();
    }
}
