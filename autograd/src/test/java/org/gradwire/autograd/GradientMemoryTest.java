package org.gradwire.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.memory.NativeMemory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The memory of gradients is released when it is no longer needed, and not before. */
class GradientMemoryTest {
    private static final int LARGE = 300_000;
    private static final long BYTES = 4L * LARGE;
    private static final int OPERATORS = 20;

    private final NativeMemory pool = requireNonNull(NativeMemory.installed());
    private final Tensor leaf = Tensor.ones(LARGE).requiresGrad(true);
    private final List<Tensor> kept = new ArrayList<>();

    /** A custom function that keeps its input gradient. */
    private final class Keeping extends AutogradFunction {
        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            return new Tensor[] {inputs[0].mul(2)};
        }

        @Override
        protected @Nullable Tensor[] backward(FunctionContext context, Tensor... gradients) {
            kept.add(gradients[0]);
            return new Tensor[] {gradients[0].mul(2)};
        }
    }

    private Tensor halved(Tensor x) {
        return x.mul(0.5);
    }

    /** Overwrites memory that was released too early. */
    private static void useMemory() {
        List<Tensor> others = new ArrayList<>();
        for (int i = 0; i < OPERATORS; i++) {
            others.add(Tensor.full(DType.FLOAT32, -7, LARGE));
        }
        assertEquals(OPERATORS, others.size());
    }

    private void assertKept(double expected) {
        useMemory();
        assertEquals(1, kept.size());
        assertTrue(kept.getFirst().equal(Tensor.full(DType.FLOAT32, expected, LARGE)));
    }

    private void backwardThrough(UnaryOperator<Tensor> middle) {
        halved(middle.apply(halved(leaf))).sum().backward();
    }

    @Test
    void gradientsInBetweenDoNotPileUp() {
        Tensor x = leaf;
        for (int i = 0; i < OPERATORS; i++) {
            x = x.mul(0.5);
        }
        Tensor loss = x.sum();
        long before = pool.bytesInUse();
        loss.backward();
        assertTrue(pool.bytesInUse() - before < 3 * BYTES, "more than the leaf's gradient is held");
        assertEquals(Math.pow(0.5, OPERATORS), requireNonNull(leaf.grad()).select(0, 0).item());
    }

    @Test
    void gradientsThatAreAddedDoNotPileUp() {
        Tensor x = halved(leaf);
        Tensor sum = halved(x);
        for (int i = 1; i < OPERATORS; i++) {
            sum = sum.add(halved(x));
        }
        Tensor loss = sum.sum();
        loss.backward(true);
        long before = pool.bytesInUse();
        loss.backward();
        assertTrue(pool.bytesInUse() - before < 3 * BYTES, "what was added is held");
        assertTrue(
                requireNonNull(leaf.grad())
                        .equal(Tensor.full(DType.FLOAT32, 2 * 0.25 * OPERATORS, LARGE)));
    }

    @Test
    void hookOfATensorKeepsWhatItSaw() {
        backwardThrough(x -> {
            x.registerHook(gradient -> {
                kept.add(gradient);
                return gradient;
            });
            return x;
        });
        assertKept(0.5);
    }

    @Test
    void hookBeforeANodeKeepsWhatItSaw() {
        backwardThrough(x -> {
            requireNonNull(x.gradFn())
                    .addPreHook(gradients -> {
                        kept.add(requireNonNull(gradients[0]));
                        return gradients;
                    });
            return x;
        });
        assertKept(0.5);
    }

    @Test
    void hookAfterANodeKeepsWhatItSaw() {
        backwardThrough(x -> {
            Node node = requireNonNull(x.gradFn());
            node.addPostHook((_, inputs) -> kept.add(requireNonNull(inputs[0])));
            return x;
        });
        assertKept(0.5);
    }

    @Test
    void hookAfterANodeKeepsWhatTheNodeGave() {
        backwardThrough(x -> {
            Tensor y = halved(x);
            requireNonNull(y.gradFn())
                    .addPostHook((outputs, _) -> kept.add(requireNonNull(outputs[0])));
            return y;
        });
        assertKept(0.25);
    }

    @Test
    void hookOfALeafKeepsWhatWasAdded() {
        backwardThrough(x -> x);
        AccumulateGrad.of(leaf).addPostHook((_, inputs) -> kept.add(requireNonNull(inputs[0])));
        backwardThrough(x -> x);
        assertKept(0.25);
        assertTrue(requireNonNull(leaf.grad()).equal(Tensor.full(DType.FLOAT32, 0.5, LARGE)));
    }

    @Test
    void resultThatRetainsItsGradientKeepsIt() {
        Tensor x = halved(leaf).retainGrad();
        halved(x).sum().backward();
        kept.add(requireNonNull(x.grad()));
        assertKept(0.5);
    }

    @Test
    void functionOfAUserKeepsItsGradient() {
        backwardThrough(x -> new Keeping().apply(x));
        assertKept(0.5);
    }

    @Test
    void gradientOfAResultInBetweenIsTheCallers() {
        Tensor x = halved(leaf);
        Tensor loss = halved(x).sum();
        kept.add(Gradients.grad(List.of(loss), List.of(x, leaf)).getFirst());
        assertKept(0.5);
    }

    @Test
    void gradientThatACallerGaveStaysTheCallers() {
        Tensor given = Tensor.full(DType.FLOAT32, 3, LARGE);
        halved(halved(leaf)).backward(given);
        kept.add(given);
        assertKept(3);
    }

    /** The gradient of a view shares the memory of its node's input gradient. */
    @Test
    void gradientsThatAreViewsOfOthersStay() {
        Tensor x = halved(leaf).view(300, 1000).t();
        x.add(x).t().reshape(LARGE).sum().backward();
        useMemory();
        assertTrue(requireNonNull(leaf.grad()).equal(Tensor.full(DType.FLOAT32, 1, LARGE)));
    }
}
