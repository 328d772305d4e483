package org.gradwire.tensor.text;

import org.gradwire.autograd.Node;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes tensors the way PyTorch does: in columns, with large ones abbreviated, and with unusual
 * properties at the end.
 */
public final class TensorPrinter {
    private static final int LINE_WIDTH = 80;
    private static final int EDGE_ITEMS = 3;
    private static final int SUMMARIZE_ABOVE = 1000;
    private static final String PREFIX = "tensor(";

    private final Tensor tensor;
    private final boolean summarized;
    private final NumberFormatter fractions;
    private final int width;

    private TensorPrinter(Tensor tensor) {
        this.tensor = tensor;
        this.summarized = tensor.numel() > SUMMARIZE_ABOVE;
        List<Integer> shown = shown(0, TensorAccess.offset(tensor), new ArrayList<>());
        if (tensor.dtype().isFloating()) {
            fractions = new NumberFormatter(shown.stream().mapToDouble(this::value).toArray());
            width = fractions.width();
        } else {
            fractions = new NumberFormatter(new double[0]);
            width = shown.stream().mapToInt(at -> whole(at).length()).max().orElse(1);
        }
    }

    public static String print(Tensor tensor) {
        Tensor shown = TensorAccess.onHost(tensor);
        var tensorPrinter = new TensorPrinter(shown);
        String body =
                tensor.numel() == 0
                        ? "[]"
                        : tensorPrinter.level(0, TensorAccess.offset(shown), PREFIX.length());
        return withSuffixes(PREFIX + body, suffixes(tensor));
    }

    /** {@return the numbers in brackets, as they stand from a column on} */
    static String body(Tensor tensor, int indent) {
        return tensor.numel() == 0
                ? "[]"
                : new TensorPrinter(tensor).level(0, TensorAccess.offset(tensor), indent);
    }

    private static List<String> suffixes(Tensor tensor) {
        List<String> suffixes = new ArrayList<>();
        if (!tensor.device().isCpu()) {
            suffixes.add("device='%s'".formatted(tensor.device()));
        }
        boolean empty = tensor.numel() == 0;
        if (empty && TensorAccess.dims(tensor).length != 1) {
            suffixes.add("size=" + tuple(TensorAccess.dims(tensor)));
        }
        boolean told = tensor.dtype() == DType.INT64 || tensor.dtype() == DType.BOOL;
        if (tensor.dtype() != DType.FLOAT32 && !(told && !empty)) {
            suffixes.add("dtype=torch." + tensor.dtype());
        }
        Node made = tensor.gradFn();
        if (made != null) {
            suffixes.add("grad_fn=" + made);
        } else if (tensor.requiresGrad()) {
            suffixes.add("requires_grad=True");
        }
        return suffixes;
    }

    static String tuple(int[] shape) {
        var parts = new ArrayList<String>();
        for (int size : shape) {
            parts.add(Integer.toString(size));
        }
        return "(" + String.join(", ", parts) + (shape.length == 1 ? ",)" : ")");
    }

    /** Add each suffix to the last line, or begin another line. */
    private static String withSuffixes(String text, List<String> suffixes) {
        var result = new StringBuilder(text);
        int lineLength = text.length() - text.lastIndexOf('\n') + 1;
        for (String suffix : suffixes) {
            if (lineLength + suffix.length() + 2 > LINE_WIDTH) {
                result.append(",\n").append(" ".repeat(PREFIX.length())).append(suffix);
                lineLength = PREFIX.length() + suffix.length();
            } else {
                result.append(", ").append(suffix);
                lineLength += suffix.length() + 2;
            }
        }
        return result.append(")").toString();
    }

    /** {@return the positions of the numbers to print} */
    private List<Integer> shown(int dim, int position, List<Integer> found) {
        if (tensor.numel() == 0) {
            return found;
        }
        if (dim == TensorAccess.dims(tensor).length) {
            found.add(position);
            return found;
        }
        for (int i : indices(dim)) {
            if (i >= 0) {
                shown(dim + 1, position + i * TensorAccess.strides(tensor)[dim], found);
            }
        }
        return found;
    }

    /** {@return the indices of a dimension that are shown; -1 stands for those left out} */
    private int[] indices(int dim) {
        int size = TensorAccess.dims(tensor)[dim];
        boolean cut = summarized && size > 2 * EDGE_ITEMS;
        int[] indices = new int[cut ? 2 * EDGE_ITEMS + 1 : size];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = !cut || i < EDGE_ITEMS ? i : size - indices.length + i;
        }
        if (cut) {
            indices[EDGE_ITEMS] = -1;
        }
        return indices;
    }

    private Tensor scalar(int position) {
        return TensorAccess.alias(tensor, new int[0], new int[0], position);
    }

    private double value(int position) {
        return scalar(position).item();
    }

    private String whole(int position) {
        if (tensor.dtype() == DType.BOOL) {
            return scalar(position).itemAsBoolean() ? "True" : "False";
        }
        return Long.toString(scalar(position).itemAsLong());
    }

    private String padded(int position) {
        if (tensor.dtype().isFloating()) {
            return fractions.padded(value(position));
        }
        String text = whole(position);
        return " ".repeat(width - text.length()) + text;
    }

    private String level(int dim, int position, int indent) {
        if (dim == TensorAccess.dims(tensor).length) {
            return padded(position);
        }
        if (dim == TensorAccess.dims(tensor).length - 1) {
            return row(position, indent);
        }
        var parts = new ArrayList<String>();
        for (int i : indices(dim)) {
            parts.add(
                    i < 0
                            ? "..."
                            : level(
                                    dim + 1,
                                    position + i * TensorAccess.strides(tensor)[dim],
                                    indent + 1));
        }
        int blank = TensorAccess.dims(tensor).length - dim - 1;
        return "[" + String.join("," + "\n".repeat(blank) + " ".repeat(indent + 1), parts) + "]";
    }

    private String row(int position, int indent) {
        int dim = TensorAccess.dims(tensor).length - 1;
        int perLine = Math.max(1, Math.floorDiv(LINE_WIDTH - indent, width + 2));
        var text = new StringBuilder("[");
        int[] indices = indices(dim);
        for (int i = 0; i < indices.length; i++) {
            if (i > 0) {
                text.append(i % perLine == 0 ? ",\n" + " ".repeat(indent + 1) : ", ");
            }
            text.append(
                    indices[i] < 0
                            ? " ..."
                            : padded(position + indices[i] * TensorAccess.strides(tensor)[dim]));
        }
        return text.append("]").toString();
    }
}
