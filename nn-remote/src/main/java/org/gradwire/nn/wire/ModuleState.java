package org.gradwire.nn.wire;

import org.gradwire.nn.Module;
import org.gradwire.spi.Output;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The state of a module without its structure: the training modes of it and its descendants, and
 * the parameters and buffers of those that are not sent as separate values.
 *
 * @param modules the module and its descendants, parents before children
 * @param tensors parameters and buffers, by their path
 */
record ModuleState(List<Module> modules, Map<String, Tensor> tensors) {

    /**
     * Capture the state of a module.
     *
     * @param apart descendants whose tensors are not part of its state
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

    /** {@return the name of the module's class} */
    String name() {
        return modules.getFirst().getClass().getName();
    }
}
