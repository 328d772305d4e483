package org.gradwire.nn;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Copies states into modules, after validating the whole state. */
final class StateLoading {

    private StateLoading() {}

    static IncompatibleKeys load(Module module, Map<String, Tensor> state, boolean strict) {
        Map<String, Tensor> parameters = ModuleTree.state(module);
        IncompatibleKeys keys = compare(parameters, state);
        List<String> problems = new ArrayList<>();
        if (strict && !keys.missing().isEmpty()) {
            problems.add("Missing key(s) in stateDict: %s.".formatted(quoted(keys.missing())));
        }
        if (strict && !keys.unexpected().isEmpty()) {
            problems.add(
                    "Unexpected key(s) in stateDict: %s.".formatted(quoted(keys.unexpected())));
        }
        problems.addAll(sizeMismatches(parameters, state));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "Error(s) in loading stateDict for %s:\n\t%s"
                            .formatted(
                                    module.getClass().getSimpleName(),
                                    String.join("\n\t", problems)));
        }
        try (var _ = GradMode.noGrad()) {
            parameters.forEach((path, parameter) -> {
                Tensor value = state.get(path);
                if (value != null) {
                    parameter.copy_(value.to(parameter.device()));
                }
            });
        }
        return keys;
    }

    private static IncompatibleKeys compare(
            Map<String, Tensor> parameters, Map<String, Tensor> state) {
        return new IncompatibleKeys(
                parameters.keySet().stream().filter(path -> !state.containsKey(path)).toList(),
                state.keySet().stream().filter(path -> !parameters.containsKey(path)).toList());
    }

    private static String quoted(List<String> paths) {
        return paths.stream().map(path -> '"' + path + '"').collect(Collectors.joining(", "));
    }

    private static List<String> sizeMismatches(
            Map<String, Tensor> parameters, Map<String, Tensor> state) {
        List<String> problems = new ArrayList<>();
        parameters.forEach((path, parameter) -> {
            Tensor value = state.get(path);
            if (value != null && !Arrays.equals(value.shape(), parameter.shape())) {
                problems.add(
                        "size mismatch for %s: copying a param with shape %s from checkpoint, the shape in current model is %s."
                                .formatted(
                                        path,
                                        Arrays.toString(value.shape()),
                                        Arrays.toString(parameter.shape())));
            }
        });
        return problems;
    }
}
