package org.gradwire.bench.local;

import static org.gradwire.bench.local.OperatorCase.both;
import static org.gradwire.bench.local.OperatorCase.forward;
import static org.gradwire.bench.local.OperatorCase.rand;
import static org.gradwire.bench.local.OperatorCase.rands;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Arithmetic of elements. */
final class ElementCases {
    private static final int MILLION = 1 << 20;
    private static final int SIDE = 1024;

    private ElementCases() {}

    static List<OperatorCase> all() {
        return List.of(
                both("add.float64", typed(DType.FLOAT64), t -> t.get(0).add(t.get(1))),
                both("mul.float64", typed(DType.FLOAT64), t -> t.get(0).mul(t.get(1))),
                both("div.float64", ElementCases::quotient, t -> t.get(0).div(t.get(1))),
                forward("add.int64", typed(DType.INT64), t -> t.get(0).add(t.get(1))),
                forward("mul.int64", typed(DType.INT64), t -> t.get(0).mul(t.get(1))),
                both(
                        "add.row",
                        rands(new int[] {SIDE, SIDE}, new int[] {SIDE}),
                        t -> t.get(0).add(t.get(1))),
                both(
                        "add.column",
                        rands(new int[] {SIDE, SIDE}, new int[] {SIDE, 1}),
                        t -> t.get(0).add(t.get(1))),
                both("pow3", rand(MILLION), t -> t.getFirst().pow(3)),
                forward("remainder", ElementCases::divided, t -> Ops.remainder(t.get(0), t.get(1))),
                forward("fmod", ElementCases::divided, t -> Ops.fmod(t.get(0), t.get(1))),
                both("where", ElementCases::chosen, t -> Ops.where(t.get(0), t.get(1), t.get(2))));
    }

    /** {@return two operands of a million elements below 256} */
    private static Supplier<List<Tensor>> typed(DType dtype) {
        return () -> {
            var random = new Random(1);
            Tensor a = Tensor.randint(random, 0, 256, MILLION).to(dtype);
            return List.of(a, Tensor.randint(random, 0, 256, MILLION).to(dtype));
        };
    }

    /** {@return dividends up to 10, and divisors from 1 to 2} */
    private static List<Tensor> divided() {
        var random = new Random(1);
        Tensor dividends = Tensor.rand(random, MILLION).mul(10);
        return List.of(dividends, Tensor.rand(random, MILLION).add(1));
    }

    private static List<Tensor> quotient() {
        return divided().stream().map(x -> x.to(DType.FLOAT64)).toList();
    }

    private static List<Tensor> chosen() {
        var random = new Random(1);
        Tensor condition = Tensor.rand(random, MILLION).gt(0.5);
        return List.of(condition, Tensor.rand(random, MILLION), Tensor.rand(random, MILLION));
    }
}
