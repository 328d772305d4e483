package org.gradwire.tensor.text;

import org.gradwire.autograd.Node;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import java.util.ArrayList;
import java.util.List;

/** Prints sparse tensors as PyTorch does: indices and values as stored. */
public final class SparsePrinter {
    private static final int LINE_WIDTH = 80;
    private static final String PREFIX = "tensor(";

    private SparsePrinter() {}

    public static String print(Tensor tensor) {
        Tensor shown = TensorAccess.onHost(tensor);
        String text =
                PREFIX
                        + part("indices", shown.heldIndices())
                        + ",\n"
                        + " ".repeat(PREFIX.length())
                        + part("values", shown.heldValues());
        return withSuffixes(text, suffixes(tensor)) + ")";
    }

    private static String part(String name, Tensor part) {
        String prefix = name + "=" + PREFIX;
        String size =
                part.numel() == 0 ? ", size=" + TensorPrinter.tuple(TensorAccess.dims(part)) : "";
        return prefix + TensorPrinter.body(part, PREFIX.length() + prefix.length()) + size + ")";
    }

    private static List<String> suffixes(Tensor tensor) {
        List<String> suffixes = new ArrayList<>();
        if (!tensor.device().isCpu()) {
            suffixes.add("device='%s'".formatted(tensor.device()));
        }
        suffixes.add("size=" + TensorPrinter.tuple(TensorAccess.dims(tensor)));
        suffixes.add("nnz=" + tensor.nnz());
        boolean told = tensor.dtype() == DType.INT64 || tensor.dtype() == DType.BOOL;
        if (tensor.dtype() != DType.FLOAT32 && !told) {
            suffixes.add("dtype=torch." + tensor.dtype());
        }
        suffixes.add("layout=" + tensor.layout());
        Node made = tensor.gradFn();
        if (made != null) {
            suffixes.add("grad_fn=" + made);
        } else if (tensor.requiresGrad()) {
            suffixes.add("requires_grad=True");
        }
        return suffixes;
    }

    /** The first suffix is on a separate line, the others where they fit. */
    private static String withSuffixes(String text, List<String> suffixes) {
        var all = new StringBuilder(text);
        int used = LINE_WIDTH;
        for (String suffix : suffixes) {
            if (used + suffix.length() + 2 > LINE_WIDTH) {
                all.append(",\n").append(" ".repeat(PREFIX.length())).append(suffix);
                used = PREFIX.length() + suffix.length();
            } else {
                all.append(", ").append(suffix);
                used += suffix.length() + 2;
            }
        }
        return all.toString();
    }
}
