package org.gradwire.nn;

import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Formats modules as text. */
final class ModulePrinter {

    private ModulePrinter() {}

    /** {@return the tree of a module, as PyTorch prints it} */
    static String print(Module module) {
        List<String> lines = new ArrayList<>();
        String options = module.extraRepr();
        module.printedParts()
                .forEach((name, part) ->
                        lines.add(
                                "(%s): %s"
                                        .formatted(name, String.valueOf(part).indent(2).strip())));
        String name = module.getClass().getSimpleName();
        if (lines.isEmpty()) {
            return name + "(" + options + ")";
        }
        String head = options.isEmpty() ? "" : "\n  " + options;
        return name + "(" + head + "\n  " + String.join("\n  ", lines) + "\n)";
    }

    /** {@return a table of a module and its descendants} */
    static String summary(Module module) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"module", "type", "parameters", "numbers"});
        module.namedModules()
                .forEach((path, part) ->
                        rows.add(
                                new String[] {
                                    path.isEmpty() ? "(all)" : path,
                                    part.getClass().getSimpleName(),
                                    shapes(part),
                                    count(part.parameters())
                                }));
        return table(rows)
                + "trainable: %s, frozen: %s, in buffers: %s\n"
                        .formatted(
                                count(withGradient(module, true)),
                                count(withGradient(module, false)),
                                count(module.buffers()));
    }

    private static List<Tensor> withGradient(Module module, boolean wanted) {
        return module.parameters().stream().filter(p -> p.requiresGrad() == wanted).toList();
    }

    private static String shapes(Module part) {
        List<String> shapes = new ArrayList<>();
        part.namedParameters(false)
                .forEach((name, parameter) ->
                        shapes.add(name + " " + Arrays.toString(parameter.shape())));
        return String.join(", ", shapes);
    }

    private static String count(Collection<Tensor> tensors) {
        return String.format(Locale.ROOT, "%,d", tensors.stream().mapToLong(Tensor::numel).sum());
    }

    private static String table(List<String[]> rows) {
        int[] widths = new int[rows.getFirst().length];
        for (String[] row : rows) {
            Arrays.setAll(widths, i -> Math.max(widths[i], row[i].length()));
        }
        var text = new StringBuilder();
        for (String[] row : rows) {
            for (int i = 0; i < row.length - 1; i++) {
                text.append(row[i]).repeat(' ', widths[i] - row[i].length() + 2);
            }
            String last = row[row.length - 1]; // a number, right-aligned
            text.repeat(' ', widths[row.length - 1] - last.length()).append(last).append('\n');
        }
        return text.toString();
    }
}
