package org.gradwire.collective;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The arguments of an operation that must be the same on all members.
 *
 * @param reduce null if the operation does not reduce
 * @param types of the tensors of each member; empty if members may have any
 * @param root rank; -1 if the operation has no root
 * @param site the line that called the operation; empty if unknown
 */
record Signature(
        Operation operation,
        @Nullable ReduceOp reduce,
        List<TensorType> types,
        int root,
        String site) {
    private static final int TYPE_BYTES = 64; // on the heap
    private static final int MAX_NAMED = 3; // types in texts
    private static final int MAX_SITE = 1_000; // characters

    /** {@return whether both are the same except their call sites} */
    boolean matches(Signature other) {
        return operation == other.operation
                && reduce == other.reduce
                && root == other.root
                && types.size() == other.types.size()
                && firstDifference(other) < 0;
    }

    /** {@return the position of the first tensor whose type differs; -1 for none} */
    private int firstDifference(Signature other) {
        for (int i = 0; i < Math.min(types.size(), other.types.size()); i++) {
            if (!types.get(i).matches(other.types.get(i))) {
                return i;
            }
        }
        return -1;
    }

    /** {@return a suffix that names the first tensors that differ, if the text of neither does} */
    String unnamedDifference(Signature other) {
        int at = firstDifference(other);
        return at < MAX_NAMED
                ? ""
                : "; their tensors %d are %s and %s"
                        .formatted(at, types.get(at), other.types.get(at));
    }

    /** {@return whether there are no arguments that must be the same} */
    boolean isBare() {
        return reduce == null && types.isEmpty() && root < 0;
    }

    /** {@return whether the tensor of each member is sparse} */
    boolean isSparse() {
        return types.size() == 1 && types.getFirst().isSparse();
    }

    void write(Output out) {
        out.writeInt(operation.code());
        out.writeInt(Codes.of(reduce));
        out.writeInt(root + 1);
        out.writeInt(types.size());
        types.forEach(type -> type.write(out));
        out.writeString(site);
    }

    static Signature read(Input in) {
        Operation operation = Operation.ofCode(in.readInt());
        ReduceOp reduce = Codes.reduceOp(in.readInt());
        int root = in.readCount(Integer.MAX_VALUE) - 1;
        int count = in.readCount(in.remaining(), TYPE_BYTES);
        List<TensorType> types = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            types.add(TensorType.read(in));
        }
        String site = in.readString();
        if (site.length() > MAX_SITE) {
            throw new DecodingException("a call site of %d characters".formatted(site.length()));
        }
        return new Signature(operation, reduce, types, root, site);
    }

    /** {@return the operation as in {@code allReduce(SUM, float32[2, 3]) at Train.java:7}} */
    @Override
    public String toString() {
        var text = new StringBuilder();
        append(text, reduce == null ? "" : reduce.name());
        append(text, tensors());
        append(text, root < 0 ? "" : "root " + root);
        return operation.method() + "(" + text + ")" + atSite();
    }

    /** {@return the line that called the operation as a suffix of a text; empty if unknown} */
    String atSite() {
        return site.isEmpty() ? "" : " at " + UntrustedText.quote(site);
    }

    private String tensors() {
        String named =
                types.stream()
                        .limit(MAX_NAMED)
                        .map(TensorType::toString)
                        .collect(Collectors.joining(", "));
        return types.size() > MAX_NAMED
                ? "%s and %d more".formatted(named, types.size() - MAX_NAMED)
                : named;
    }

    private static void append(StringBuilder text, String argument) {
        if (!argument.isEmpty()) {
            text.append(text.isEmpty() ? "" : ", ").append(argument);
        }
    }
}
