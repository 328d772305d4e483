package org.gradwire.tensor.rule;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Operators that change their tensor: values, versions, and what they refuse. */
class InPlaceTest {
    private static final String TWICE =
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.";
    private static final String SHARED =
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.";

    /** A change and the operator that gives the same as a new tensor. */
    record Change(String name, UnaryOperator<Tensor> inPlace, UnaryOperator<Tensor> operator) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Tensor other() {
        return Tensor.of(new float[] {2, 0.5f, 1}, 3);
    }

    private static Tensor columns() {
        return Tensor.of(new float[] {1, 3}, 2, 1);
    }

    static Stream<Change> changes() {
        return Stream.of(
                new Change("add_", x -> x.add_(other()), x -> x.add(other())),
                new Change("add_ alpha", x -> x.add_(other(), 0.5), x -> x.add(other().mul(0.5))),
                new Change("add_ number", x -> x.add_(2), x -> x.add(2)),
                new Change("sub_", x -> x.sub_(other()), x -> x.sub(other())),
                new Change("sub_ alpha", x -> x.sub_(other(), 3), x -> x.sub(other().mul(3))),
                new Change("sub_ number", x -> x.sub_(1.5), x -> x.sub(1.5)),
                new Change("mul_", x -> x.mul_(columns()), x -> x.mul(columns())),
                new Change("mul_ number", x -> x.mul_(-2), x -> x.mul(-2)),
                new Change("div_", x -> x.div_(other()), x -> x.div(other())),
                new Change("div_ number", x -> x.div_(4), x -> x.div(4)),
                new Change("pow_", x -> x.pow_(columns()), x -> x.pow(columns())),
                new Change("pow_ number", x -> x.pow_(3), x -> x.pow(3)),
                new Change("neg_", Tensor::neg_, Tensor::neg),
                new Change("abs_", Tensor::abs_, Tensor::abs),
                new Change("clamp_", x -> x.clamp_(-1, null), x -> x.clamp(-1, null)),
                new Change("relu_", Tensor::relu_, Tensor::relu),
                new Change("exp_", Tensor::exp_, Tensor::exp),
                new Change("sqrt_", x -> x.abs_().sqrt_(), x -> x.abs().sqrt()),
                new Change("sigmoid_", Tensor::sigmoid_, Tensor::sigmoid),
                new Change("tanh_", Tensor::tanh_, Tensor::tanh),
                new Change("round_", Tensor::round_, Tensor::round),
                new Change(
                        "addcmul_",
                        x -> x.addcmul_(other(), columns(), 0.5),
                        x -> x.addcmul(other(), columns(), 0.5)),
                new Change(
                        "addcdiv_",
                        x -> x.addcdiv_(columns(), other(), -1),
                        x -> x.addcdiv(columns(), other(), -1)),
                new Change("lerp_", x -> x.lerp_(other(), 0.25), x -> x.lerp(other(), 0.25)),
                new Change(
                        "lerp_ weights",
                        x -> x.lerp_(other(), columns()),
                        x -> x.lerp(other(), columns())),
                new Change("copy_", x -> x.copy_(other()), x -> x.mul(0).add(other())),
                new Change("fill_", x -> x.fill_(3), x -> x.mul(0).add(3)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void changeGivesWhatTheOperatorGives(Change change) {
        float[] numbers = {-2.5f, 0.5f, 1.5f, -1, 2, 0.25f};
        Tensor even = Tensor.of(numbers, 2, 3);
        Tensor turned = Tensor.of(numbers, 2, 3).t().contiguous().t();
        Tensor spaced = Tensor.zeros(2, 6).narrow(1, 2, 3).copy_(even);
        for (Tensor x : new Tensor[] {even, turned, spaced}) {
            Tensor expected = change.operator.apply(x.copy());
            int version = TensorAccess.storage(x).version();
            assertSame(x, change.inPlace.apply(x));
            assertTrue(x.allclose(expected, 1e-6, 1e-6), x + " should be " + expected);
            int changes = change.name.equals("sqrt_") ? 2 : 1;
            assertEquals(version + changes, TensorAccess.storage(x).version());
        }
        assertEquals(
                0,
                TensorAccess.storage(spaced)
                        .segment()
                        .get(java.lang.foreign.ValueLayout.JAVA_FLOAT, 0));
    }

    @Test
    void elementsThatShareMemoryAreNotChanged() {
        Tensor row = Tensor.ones(3);
        Tensor repeated = row.expand(2, 3);
        assertFails(IllegalArgumentException.class, TWICE, () -> repeated.add_(1));
        assertFails(IllegalArgumentException.class, TWICE, repeated::exp_);
        assertFails(IllegalArgumentException.class, TWICE, () -> repeated.clamp_(0, null));
        assertFails(IllegalArgumentException.class, TWICE, () -> repeated.copy_(row));
        assertFails(
                IllegalArgumentException.class,
                TWICE,
                () -> repeated.normal_(new SplittableRandom(1), 0, 1));
        assertEquals(0, TensorAccess.storage(row).version());
        repeated.zero_(); // writing the same twice does no harm
        assertArrayEquals(new float[3], row.toFloatArray());
    }

    @Test
    void inputsThatOverlapInPartAreRefused() {
        Tensor x = Tensor.ones(4);
        Tensor front = x.narrow(0, 0, 3);
        Tensor back = x.narrow(0, 1, 3);
        Tensor square = Tensor.arange(4).reshape(2, 2).to(DType.FLOAT32);
        assertFails(IllegalArgumentException.class, SHARED, () -> back.add_(front));
        assertFails(IllegalArgumentException.class, SHARED, () -> back.copy_(front));
        assertFails(IllegalArgumentException.class, SHARED, () -> square.mul_(square.t()));
        assertFails(IllegalArgumentException.class, SHARED, () -> square.add_(square.select(0, 0)));
        assertFails(
                IllegalArgumentException.class,
                SHARED,
                () -> square.addcmul_(square, square.t(), 1));
        assertEquals(0, TensorAccess.storage(x).version());
        square.add_(square);
        assertArrayEquals(new float[] {0, 2, 4, 6}, square.toFloatArray());
    }

    @Test
    void inputsWithGapsAreReadBeforeTheyAreWritten() {
        Tensor x = Tensor.arange(6).to(DType.FLOAT32);
        Tensor even = TensorAccess.view(TensorAccess.storage(x), 0, new int[] {3}, new int[] {2});
        Tensor odd = TensorAccess.view(TensorAccess.storage(x), 1, new int[] {3}, new int[] {2});
        even.add_(odd);
        assertArrayEquals(new float[] {1, 1, 5, 3, 9, 5}, x.toFloatArray());
        Tensor ahead = TensorAccess.view(TensorAccess.storage(x), 2, new int[] {2}, new int[] {2});
        ahead.add_(TensorAccess.view(TensorAccess.storage(x), 0, new int[] {2}, new int[] {2}));
        assertArrayEquals(new float[] {1, 1, 6, 3, 14, 5}, x.toFloatArray());
    }

    @Test
    void typesThatCannotHoldTheResultAreRefused() {
        Tensor whole = Tensor.of(1, 2);
        String text = "result type Float can't be cast to the desired output type Long";
        assertFails(IllegalArgumentException.class, text, () -> whole.add_(1.5));
        assertFails(IllegalArgumentException.class, text, () -> whole.div_(2));
        assertFails(IllegalArgumentException.class, text, whole::exp_);
        assertFails(IllegalArgumentException.class, text, () -> whole.mul_(Tensor.ones(2)));
        assertFails(IllegalArgumentException.class, text, () -> whole.clamp_(0.5, null));
        assertFails(IllegalArgumentException.class, text, () -> whole.pow_(0.5));
        assertFails(
                IllegalArgumentException.class,
                "For integral input tensors, argument alpha must not be a floating point number",
                () -> whole.add_(whole, 1.5));
        assertFails(
                IllegalArgumentException.class,
                "Integers to negative integer powers are not allowed.",
                () -> whole.pow_(-1));
        assertFails(
                IllegalArgumentException.class,
                "Integer division with addcdiv is no longer supported",
                () -> Tensor.ones(2).addcdiv_(whole, whole, 1));
        assertEquals(0, TensorAccess.storage(whole).version());
        assertArrayEquals(new long[] {3, 5}, whole.mul_(2).add_(1).toLongArray());
        assertArrayEquals(new long[] {1, 1}, whole.copy_(Tensor.full(1.7, 2)).toLongArray());
        Tensor single = Tensor.ones(2).add_(Tensor.of(1.0, 2.0));
        assertTrue(single.equal(Tensor.of(2f, 3f)));
    }

    @Test
    void shapesThatDoNotFitAreRefused() {
        assertFails(
                IllegalArgumentException.class,
                "output with shape [2] doesn't match the broadcast shape [3, 2]",
                () -> Tensor.ones(2).add_(Tensor.ones(3, 2)));
        assertFails(
                IllegalArgumentException.class,
                "output with shape [2] doesn't match the broadcast shape [3, 2]",
                () -> Tensor.ones(2).lerp_(Tensor.ones(3, 2), 0.5));
        assertFails(
                IllegalArgumentException.class,
                "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0",
                () -> Tensor.ones(2).copy_(Tensor.ones(3)));
    }

    @Test
    void aLeafIsChangedUnderNoGrad() {
        Tensor w = Tensor.ones(2).requiresGrad(true);
        assertFails(
                IllegalStateException.class,
                "a leaf that requires a gradient is changed in place",
                w::exp_);
        assertEquals(0, TensorAccess.storage(w).version());
        try (var _ = GradMode.noGrad()) {
            assertTrue(Tensor.ones(2).mul_(w).add_(w).equal(Tensor.full(2.0, 2)));
            w.uniform_(new SplittableRandom(3), 5, 6);
        }
        assertTrue(w.isLeaf() && w.detach().floor().equal(Tensor.full(5.0, 2)));
    }

    @Test
    void changeOfASavedValueIsCaught() {
        Tensor w = Tensor.ones(3).requiresGrad(true);
        Tensor result = w.mul(1).exp();
        try (var _ = GradMode.noGrad()) {
            result.mul_(Tensor.of(2f, 2f, 2f));
        }
        assertFails(
                IllegalStateException.class,
                "one of the tensors needed for gradient computation was changed in place: the float32 tensor [3], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead",
                () -> result.sum().backward());
        Tensor product = w.mul(w).sum();
        try (var _ = GradMode.noGrad()) {
            w.view(3).narrow(0, 0, 1).neg_(); // through a view as well
        }
        assertFails(
                IllegalStateException.class,
                "changed in place: the float32 tensor [3] is at version 1; expected version 0 instead",
                product::backward);
    }

    @Test
    void randomNumbersFollowFromTheSeed() {
        Tensor x = Tensor.zeros(50, 20).t();
        x.normal_(new SplittableRandom(7), 3, 0.5);
        assertEquals(3, x.mean().item(), 0.1);
        assertEquals(0.5, x.std().item(), 0.1);
        Tensor again = Tensor.zeros(20, 50).normal_(new SplittableRandom(7), 3, 0.5);
        assertTrue(x.equal(again));
        x.uniform_(new SplittableRandom(7), -1, 2);
        assertTrue(x.min().item() >= -1 && x.max().item() < 2);
        assertEquals(0.5, x.mean().item(), 0.15);
        assertTrue(x.uniform_(new SplittableRandom(7), 4, 4).equal(Tensor.full(4.0, 20, 50)));
        assertFails(
                IllegalArgumentException.class,
                "normal expects std >= 0.0, but found std -1",
                () -> x.normal_(new SplittableRandom(1), 0, -1));
        assertFails(
                IllegalArgumentException.class,
                "uniform_ expects to return a [from, to) range, but found from=2.0 > to=1.0",
                () -> x.uniform_(new SplittableRandom(1), 2, 1));
        assertFails(
                IllegalArgumentException.class,
                "\"normal_\" not implemented for 'Long'",
                () -> Tensor.of(1).normal_(new SplittableRandom(1), 0, 1));
    }
}
