package org.gradwire.collective;

import org.gradwire.spi.DecodingException;
import org.gradwire.tensor.DType;
import org.jspecify.annotations.Nullable;

/** The numbers of enums on the wire; 0 is none. */
final class Codes {
    private static final ReduceOp[] REDUCE_OPS = ReduceOp.values();
    private static final DType[] DTYPES = DType.values();

    private Codes() {}

    static int of(@Nullable ReduceOp op) {
        return switch (op) {
            case null -> 0;
            case SUM -> 1;
            case MEAN -> 2;
            case MIN -> 3;
            case MAX -> 4;
            case PRODUCT -> 5;
        };
    }

    static @Nullable ReduceOp reduceOp(int code) {
        for (ReduceOp op : REDUCE_OPS) {
            if (of(op) == code) {
                return op;
            }
        }
        requireNone(code, "reduction");
        return null;
    }

    /** {@return the number of an element type, as in the encoding of tensors} */
    static int of(@Nullable DType dtype) {
        return switch (dtype) {
            case null -> 0;
            case FLOAT32 -> 1;
            case FLOAT64 -> 2;
            case INT64 -> 3;
            case INT32 -> 4;
            case BOOL -> 5;
            case FLOAT16 -> 6;
            case BFLOAT16 -> 7;
        };
    }

    static @Nullable DType dtype(int code) {
        for (DType dtype : DTYPES) {
            if (of(dtype) == code) {
                return dtype;
            }
        }
        requireNone(code, "element type");
        return null;
    }

    private static void requireNone(int code, String kind) {
        if (code != 0) {
            throw new DecodingException("unknown %s %d".formatted(kind, code));
        }
    }
}
