package org.gradwire.collective.tests;

import org.gradwire.spi.Output;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** The fields of a part of operation 3, as a correct member would send it unless changed. */
final class Forged {
    static final int[] SHAPE = {2};
    static final int SUM = 1;

    private static final int ALL_REDUCE = 1;
    private static final int SEND = 10;
    private static final int FLOAT32 = 1;
    private static final int SPARSE = 0x100;

    long number = 3;
    int step;
    int operation = ALL_REDUCE;
    int reduce = SUM;
    int dtype = FLOAT32;
    int types = 1;
    int sparseDims = -1;
    List<?> values = List.of(Tensor.ones(SHAPE));

    void write(long group, Output out) {
        out.writeLong(group);
        out.writeLong(number);
        out.writeInt(step);
        out.writeInt(operation);
        out.writeInt(reduce);
        out.writeInt(0); // no root
        out.writeInt(types);
        for (int i = 0; i < Math.min(types, 2); i++) {
            out.writeInt(dtype);
            out.writeInt(SHAPE.length + 1);
            out.writeInt(SHAPE[0]);
            if (sparseDims >= 0) {
                out.writeInt(sparseDims);
            }
        }
        out.writeString("");
        out.writeInt(values.size());
        values.forEach(out::writeValue);
    }

    /** Make this a message to one member. */
    void asMessage() {
        number = 1_000;
        operation = SEND;
        reduce = 0;
        types = 0;
    }

    /** Make this a part of an allReduce of sparse tensors. */
    void asSparse() {
        dtype = FLOAT32 + SPARSE;
        sparseDims = SHAPE.length;
        values = List.of(sparse(true));
    }

    /** {@return a tensor of {@link #SHAPE} with all elements} */
    static Tensor sparse(boolean coalesced) {
        return Tensor.sparseCoo(
                Tensor.of(new long[][] {{0, 1}}), Tensor.ones(SHAPE), coalesced, SHAPE);
    }
}
