package org.gradwire.bench.local;

import static org.gradwire.bench.local.OperatorCase.both;
import static org.gradwire.bench.local.OperatorCase.rand;
import static org.gradwire.bench.local.OperatorCase.rands;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Random;

/** Copies of elements to other places. */
final class LayoutCases {
    private static final int SIDE = 1024;
    private static final int EMBEDDINGS = 10_000;
    private static final int LOOKUPS = 4096;
    private static final int[] HALF = {SIDE, SIDE / 2};

    private LayoutCases() {}

    static List<OperatorCase> all() {
        return List.of(
                both("transpose", rand(SIDE, SIDE), t -> t.getFirst().t().contiguous()),
                both(
                        "permute",
                        rand(16, 64, 32, 32),
                        t -> t.getFirst().permute(0, 2, 3, 1).contiguous()),
                both("cat.first", rands(HALF, HALF), t -> Ops.cat(t, 0)),
                both("cat.last", rands(HALF, HALF), t -> Ops.cat(t, 1)),
                both("gather.last", LayoutCases::indexed, t -> Ops.gather(t.get(0), 1, t.get(1))),
                both("gather.first", LayoutCases::indexed, t -> Ops.gather(t.get(0), 0, t.get(1))),
                both(
                        "indexselect",
                        LayoutCases::lookups,
                        t -> Ops.indexSelect(t.get(0), 0, t.get(1))),
                both(
                        "scatteradd",
                        LayoutCases::scattered,
                        t -> Ops.scatterAdd(t.get(0), 1, t.get(1), t.get(2))),
                both(
                        "embedding",
                        LayoutCases::lookups,
                        t -> Ops.embedding(t.get(0), t.get(1), false)));
    }

    /** {@return a table of numbers, and indices below its extents} */
    private static List<Tensor> indexed() {
        var random = new Random(1);
        Tensor table = Tensor.rand(random, SIDE, SIDE);
        return List.of(table, Tensor.randint(random, 0, SIDE, SIDE, SIDE));
    }

    private static List<Tensor> lookups() {
        var random = new Random(1);
        Tensor table = Tensor.rand(random, EMBEDDINGS, 64);
        return List.of(table, Tensor.randint(random, 0, EMBEDDINGS, LOOKUPS));
    }

    private static List<Tensor> scattered() {
        var random = new Random(1);
        Tensor index = Tensor.randint(random, 0, SIDE, SIDE, SIDE);
        return List.of(Tensor.rand(random, SIDE, SIDE), index, Tensor.rand(random, SIDE, SIDE));
    }
}
