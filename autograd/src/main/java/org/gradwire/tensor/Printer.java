package org.gradwire.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes tensors the way PyTorch does: four digits, aligned, the middle of large ones left out. */
final class Printer {
    private static final int LINE_WIDTH = 80;
    private static final int EDGE_ITEMS = 3;
    private static final int SUMMARIZE_ABOVE = 1000;
    private static final String PREFIX = "tensor(";

    private final Tensor tensor;
    private final boolean summarized;
    private final boolean integers;
    private boolean wholeNumbers = true;
    private boolean scientific;
    private int width = 1;

    private Printer(Tensor tensor) {
        this.tensor = tensor;
        this.summarized = tensor.numel() > SUMMARIZE_ABOVE;
        this.integers = !tensor.dtype().isFloating();
        chooseFormat(shown(0, tensor.offset, new ArrayList<>()));
    }

    static String print(Tensor tensor) {
        return new Printer(tensor.detach()).text(suffix(tensor));
    }

    private static String suffix(Tensor tensor) {
        var suffix = new StringBuilder();
        if (tensor.numel() == 0 && tensor.dims.length != 1) {
            suffix.append(", size=").append(tuple(tensor.dims));
        }
        boolean common = tensor.dtype() == DType.FLOAT32;
        boolean seen = tensor.dtype() == DType.INT64 || tensor.dtype() == DType.BOOL;
        if (!common && !(seen && tensor.numel() > 0)) {
            suffix.append(", dtype=").append(tensor.dtype());
        }
        Node made = tensor.gradFn();
        if (made != null) {
            suffix.append(", grad_fn=").append(made);
        } else if (tensor.requiresGrad()) {
            suffix.append(", requires_grad=True");
        }
        return suffix.toString();
    }

    private static String tuple(int[] shape) {
        var parts = new ArrayList<String>();
        for (int size : shape) {
            parts.add(Integer.toString(size));
        }
        return "(" + String.join(", ", parts) + (shape.length == 1 ? ",)" : ")");
    }

    private String text(String suffix) {
        String body = tensor.numel() == 0 ? "[]" : level(0, tensor.offset, PREFIX.length());
        String text = PREFIX + body;
        int lastLine = text.length() - text.lastIndexOf('\n') - 1;
        if (!suffix.isEmpty() && lastLine + suffix.length() + 1 > LINE_WIDTH) {
            return text + "," + "\n" + " ".repeat(PREFIX.length()) + suffix.substring(2) + ")";
        }
        return text + suffix + ")";
    }

    /** {@return the numbers that will be shown} */
    private List<Integer> shown(int dim, int position, List<Integer> found) {
        if (dim == tensor.dims.length) {
            found.add(position);
            return found;
        }
        for (int i : indices(dim)) {
            if (i >= 0) {
                shown(dim + 1, position + i * tensor.strides[dim], found);
            }
        }
        return found;
    }

    /** {@return the indices of a dimension that are shown; -1 stands for those left out} */
    private int[] indices(int dim) {
        int size = tensor.dims[dim];
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

    private void chooseFormat(List<Integer> positions) {
        if (!integers) {
            chooseNotation(positions);
        }
        for (int position : positions) {
            width = Math.max(width, format(position).length());
        }
    }

    private void chooseNotation(List<Integer> positions) {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (int position : positions) {
            double value = Math.abs(value(position));
            if (Double.isFinite(value) && value != 0) {
                least = Math.min(least, value);
                most = Math.max(most, value);
                wholeNumbers &= value == Math.rint(value);
            }
        }
        if (most > 0) {
            scientific = most / least > 1000 || most > 1e8 || (!wholeNumbers && least < 1e-4);
        }
    }

    private double value(int position) {
        return tensor.alias(new int[0], new int[0], position).item();
    }

    private String format(int position) {
        if (tensor.dtype() == DType.BOOL) {
            return tensor.alias(new int[0], new int[0], position).itemAsBoolean()
                    ? "True"
                    : "False";
        }
        if (integers) {
            return Long.toString(tensor.alias(new int[0], new int[0], position).itemAsLong());
        }
        double value = value(position);
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (scientific) {
            return String.format(Locale.ROOT, "%.4e", value);
        }
        return String.format(Locale.ROOT, wholeNumbers ? "%.0f." : "%.4f", value);
    }

    private String padded(int position) {
        String text = format(position);
        return " ".repeat(width - text.length()) + text;
    }

    private String level(int dim, int position, int indent) {
        if (dim == tensor.dims.length) {
            return format(position);
        }
        if (dim == tensor.dims.length - 1) {
            return row(position, indent);
        }
        var parts = new ArrayList<String>();
        for (int i : indices(dim)) {
            parts.add(
                    i < 0 ? "..." : level(dim + 1, position + i * tensor.strides[dim], indent + 1));
        }
        int blank = tensor.dims.length - dim - 1;
        return "[" + String.join("," + "\n".repeat(blank) + " ".repeat(indent + 1), parts) + "]";
    }

    private String row(int position, int indent) {
        int dim = tensor.dims.length - 1;
        int perLine = Math.max(1, (LINE_WIDTH - indent) / (width + 2));
        var text = new StringBuilder("[");
        int[] indices = indices(dim);
        for (int i = 0; i < indices.length; i++) {
            if (i > 0) {
                text.append(i % perLine == 0 ? ",\n" + " ".repeat(indent + 1) : ", ");
            }
            text.append(
                    indices[i] < 0 ? " ..." : padded(position + indices[i] * tensor.strides[dim]));
        }
        return text.append("]").toString();
    }
}
