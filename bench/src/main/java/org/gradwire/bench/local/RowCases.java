package org.gradwire.bench.local;

import static org.gradwire.bench.local.OperatorCase.both;
import static org.gradwire.bench.local.OperatorCase.forward;
import static org.gradwire.bench.local.OperatorCase.rand;
import static org.gradwire.bench.local.OperatorCase.rands;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.function.Supplier;

/** Softmax, norms, reductions and scans of the rows and columns of a matrix. */
final class RowCases {
    private static final int SIDE = 1024;
    private static final int[] FIRST = {0};
    private static final int[] LAST = {1};
    private static final Supplier<List<Tensor>> MATRIX = rand(SIDE, SIDE);
    private static final Supplier<List<Tensor>> CUBE = rand(64, 64, 256);

    private RowCases() {}

    static List<OperatorCase> all() {
        return List.of(
                both("softmax.last", MATRIX, t -> t.getFirst().softmax(1)),
                both("softmax.first", MATRIX, t -> t.getFirst().softmax(0)),
                both("logsoftmax", MATRIX, t -> t.getFirst().logSoftmax(1)),
                both(
                        "layernorm",
                        rands(new int[] {SIDE, SIDE}, new int[] {SIDE}, new int[] {SIDE}),
                        t -> Ops.layerNorm(t.get(0), new int[] {SIDE}, t.get(1), t.get(2), 1e-5)),
                both("sum.last", MATRIX, t -> Ops.sum(t.getFirst(), LAST, false)),
                both("sum.first", MATRIX, t -> Ops.sum(t.getFirst(), FIRST, false)),
                both("sum.middle", CUBE, t -> Ops.sum(t.getFirst(), LAST, false)),
                both("mean.last", MATRIX, t -> Ops.mean(t.getFirst(), LAST, false)),
                both("mean.first", MATRIX, t -> Ops.mean(t.getFirst(), FIRST, false)),
                both("mean.middle", CUBE, t -> Ops.mean(t.getFirst(), LAST, false)),
                both("max.last", MATRIX, t -> Ops.max(t.getFirst(), 1, false).getFirst()),
                both("max.first", MATRIX, t -> Ops.max(t.getFirst(), 0, false).getFirst()),
                both("max.middle", CUBE, t -> Ops.max(t.getFirst(), 1, false).getFirst()),
                forward("argmax.last", MATRIX, t -> Ops.argmax(t.getFirst(), 1, false)),
                forward("argmax.first", MATRIX, t -> Ops.argmax(t.getFirst(), 0, false)),
                forward("argmax.middle", CUBE, t -> Ops.argmax(t.getFirst(), 1, false)),
                both("cumsum.last", MATRIX, t -> t.getFirst().cumsum(1)),
                both("cumsum.first", MATRIX, t -> t.getFirst().cumsum(0)));
    }
}
