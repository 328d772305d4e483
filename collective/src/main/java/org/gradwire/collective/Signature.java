package org.gradwire.collective;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.UntrustedText;
import org.gradwire.tensor.DType;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The arguments of an operation that must be the same on all members.
 *
 * @param reduce null if the operation does not reduce
 * @param dtype null if the members may have tensors of different types, or none
 * @param shape null if they may have different shapes, or no tensors
 * @param root rank; -1 if the operation has no root
 * @param site the line that called the operation; empty if unknown
 */
record Signature(
        Operation operation,
        @Nullable ReduceOp reduce,
        @Nullable DType dtype,
        int @Nullable [] shape,
        int root,
        String site) {
    private static final int MAX_DIMS = 64;
    private static final int MAX_SITE = 1_000; // characters

    /** {@return whether both are the same except their call sites} */
    boolean matches(Signature other) {
        return operation == other.operation
                && reduce == other.reduce
                && dtype == other.dtype
                && root == other.root
                && Arrays.equals(shape, other.shape);
    }

    /** {@return whether members agree on nothing but the operation} */
    boolean isBare() {
        return reduce == null && dtype == null && shape == null && root < 0;
    }

    void write(Output out) {
        out.writeInt(operation.code());
        out.writeInt(Codes.of(reduce));
        out.writeInt(Codes.of(dtype));
        out.writeInt(root + 1);
        out.writeInt(shape == null ? 0 : shape.length + 1);
        if (shape != null) {
            for (int size : shape) {
                out.writeInt(size);
            }
        }
        out.writeString(site);
    }

    static Signature read(Input in) {
        Operation operation = Operation.ofCode(in.readInt());
        ReduceOp reduce = Codes.reduceOp(in.readInt());
        DType dtype = Codes.dtype(in.readInt());
        int root = in.readCount(Integer.MAX_VALUE) - 1;
        int[] shape = readShape(in);
        String site = in.readString();
        if (site.length() > MAX_SITE) {
            throw new DecodingException("a call site of %d characters".formatted(site.length()));
        }
        return new Signature(operation, reduce, dtype, shape, root, site);
    }

    private static int @Nullable [] readShape(Input in) {
        int dims = in.readCount(MAX_DIMS + 1) - 1;
        if (dims < 0) {
            return null;
        }
        int[] shape = new int[dims];
        for (int d = 0; d < dims; d++) {
            shape[d] = in.readCount(Integer.MAX_VALUE);
        }
        return shape;
    }

    /** {@return the operation as in {@code allReduce(SUM, float32[2, 3]) at Train.java:7}} */
    @Override
    public String toString() {
        var text = new StringBuilder();
        append(text, reduce == null ? "" : reduce.name());
        append(text, tensor());
        append(text, root < 0 ? "" : "root " + root);
        return operation.method() + "(" + text + ")" + atSite();
    }

    /** {@return the line that called the operation as a suffix of a text; empty if unknown} */
    String atSite() {
        return site.isEmpty() ? "" : " at " + UntrustedText.quote(site);
    }

    private String tensor() {
        return (dtype == null ? "" : dtype.toString())
                + (shape == null ? "" : Arrays.toString(shape));
    }

    private static void append(StringBuilder text, String argument) {
        if (!argument.isEmpty()) {
            text.append(text.isEmpty() ? "" : ", ").append(argument);
        }
    }
}
