package org.gradwire.nn;

import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Traverses a module and its descendants. */
final class ModuleTree {

    private ModuleTree() {}

    private static <T> Set<T> identities() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /** {@return a module and its descendants by path, each once} */
    static Map<String, Module> modules(Module root) {
        Map<String, Module> all = new LinkedHashMap<>();
        Set<Module> seen = identities();
        walk(
                "",
                root,
                (path, module) -> {
                    if (seen.add(module)) {
                        all.put(path, module);
                    }
                });
        return Collections.unmodifiableMap(all);
    }

    private static void walk(String path, Module module, BiConsumer<String, Module> visitor) {
        visitor.accept(path, module);
        module.namedChildren().forEach((name, child) -> walk(below(path, name), child, visitor));
    }

    private static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** {@return tensors of a module and its descendants by path, each once} */
    static Map<String, Tensor> tensors(Module root, Function<Module, Map<String, Tensor>> own) {
        Map<String, Tensor> all = new LinkedHashMap<>();
        Set<Tensor> seen = identities();
        modules(root)
                .forEach((path, module) ->
                        own.apply(module)
                                .forEach((name, tensor) -> {
                                    if (seen.add(tensor)) {
                                        all.put(below(path, name), tensor);
                                    }
                                }));
        return Collections.unmodifiableMap(all);
    }

    /** {@return the state of a module by path; shared tensors under each of their paths} */
    static Map<String, Tensor> state(Module root) {
        Map<String, Tensor> all = new LinkedHashMap<>();
        walk(
                "",
                root,
                (path, module) ->
                        module.ownState()
                                .forEach((name, tensor) -> all.put(below(path, name), tensor)));
        return all;
    }

    private record Converted(Tensor tensor, Tensor values) {
        void replace(UnaryOperator<Tensor> conversion) {
            Tensor gradient = tensor.grad();
            tensor.grad(null);
            tensor.data(values);
            if (gradient != null) {
                tensor.grad(conversion.apply(gradient));
            }
        }
    }

    /**
     * Convert parameters and buffers in place; all conversions succeed before the first
     * replacement.
     */
    static void convert(Module root, UnaryOperator<Tensor> conversion) {
        List<Converted> changes = new ArrayList<>();
        for (List<Tensor> tensors : List.of(root.parameters(), root.buffers())) {
            for (Tensor tensor : tensors) {
                Tensor before = tensor.detach();
                Tensor values = conversion.apply(before);
                if (values != before) {
                    changes.add(new Converted(tensor, values));
                }
            }
        }
        changes.forEach(change -> change.replace(conversion));
    }
}
