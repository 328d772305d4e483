package org.gradwire.autograd;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Large graphs, and passes that meet. Work is counted, not timed. */
class EngineTest {

    private static Tensor leaf(float... numbers) {
        return Tensor.of(numbers).requiresGrad(true);
    }

    private static Tensor gradient(Tensor leaf) {
        Tensor gradient = leaf.grad();
        assertNotNull(gradient);
        return gradient;
    }

    private static Tensor chain(Tensor x, int length) {
        Tensor y = x;
        for (int i = 0; i < length; i++) {
            y = y.add(1);
        }
        return y;
    }

    /** {@return the steps that a pass took} */
    private static long steps(Tensor root, @Nullable BackwardTargets backwardTargets) {
        var start = new GraphRoot(List.of(root));
        var arrived = new ArrayList<Tensor>();
        var task =
                new GraphTask(
                        List.of(start),
                        true,
                        (_, gradient, _) -> arrived.add(gradient),
                        backwardTargets);
        task.feed(start, true, Tensor.onesLike(root));
        task.completion().join();
        assertEquals(1, arrived.size());
        return task.steps();
    }

    private static BackwardTargets only(Tensor leaf) {
        var backwardTargets = new BackwardTargets();
        backwardTargets.accumulate(leaf);
        return backwardTargets;
    }

    @Test
    void workOfAChainIsLinearInItsLength() {
        Tensor x = leaf(1);
        int length = 200_000;
        Tensor quarter = chain(x, length / 4);
        Tensor whole = chain(quarter, length - length / 4);
        long quarterSteps = steps(quarter, null);
        long wholeSteps = steps(whole, null);
        assertTrue(wholeSteps < 20L * length, "steps: " + wholeSteps);
        assertTrue(wholeSteps < 6 * quarterSteps, quarterSteps + " and " + wholeSteps);
        long restricted = steps(whole, only(x));
        assertTrue(restricted < 40L * length, "steps: " + restricted);
        whole.backward();
        assertEquals(1, gradient(x).item());
    }

    @Test
    void workOfAWideGraphIsLinearInItsWidth() {
        Tensor x = leaf(1);
        int width = 100_000;
        List<Tensor> parts = new ArrayList<>(width);
        for (int i = 0; i < width; i++) {
            parts.add(x.add(i));
        }
        Tensor root = Ops.stack(parts, 0).sum();
        // each part asks for x, which by its hash may lie some slots from where it is looked for
        assertTrue(steps(root, null) < 200L * width);
        root.backward();
        assertEquals(width, gradient(x).item());
    }

    @Test
    void pathsThatMultiplyAreNotWalkedOneByOne() {
        Tensor x = leaf(1);
        Tensor y = x;
        for (int i = 0; i < 60; i++) { // 2^60 paths
            y = y.add(y);
        }
        assertTrue(steps(y, null) < 2_000);
        y.backward();
        assertEquals(Math.pow(2, 60), gradient(x).item());
    }

    @Test
    void deepGraphIsCollected() {
        Tensor x = leaf(1);
        WeakReference<Node> end = endOf(x, 300_000);
        while (end.get() != null) { // ends by the timeout of tests
            System.gc();
        }
        assertNull(x.grad());
    }

    private static WeakReference<Node> endOf(Tensor x, int length) {
        Node end = chain(x, length).gradFn();
        assertNotNull(end);
        return new WeakReference<>(end);
    }

    @Test
    void failureInTheMiddleLeavesTheGraphUsable() {
        Tensor x = leaf(1);
        Tensor middle = chain(x, 1_000);
        HookHandle bad =
                middle.registerHook(_ -> {
                    throw new IllegalStateException("middle fails");
                });
        Tensor end = chain(middle, 1_000);
        assertFails(IllegalStateException.class, "middle fails", end::backward);
        assertNull(x.grad());
        bad.remove();
        end.backward();
        assertEquals(1, gradient(x).item());
    }

    @Test
    void whatAFailedPassFreedIsNamedInTheNext() {
        Tensor x = leaf(2);
        Tensor middle = x.mul(1);
        HookHandle bad =
                middle.registerHook(_ -> {
                    throw new IllegalStateException("middle fails");
                });
        Tensor end = middle.mul(middle);
        assertFails(IllegalStateException.class, "middle fails", end::backward);
        bad.remove();
        assertFails(
                IllegalStateException.class,
                "Trying to backward through the graph a second time",
                end::backward);
    }

    /** A function whose backward rule runs a pass over another graph, so deep. */
    private static final class Nested extends AutogradFunction {
        private final int depth;

        Nested(int depth) {
            this.depth = depth;
        }

        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            context.saveForBackward(inputs);
            return new Tensor[] {inputs[0].mul(2)};
        }

        @Override
        protected @Nullable Tensor[] backward(FunctionContext context, Tensor... gradients) {
            if (depth == 0) {
                return new Tensor[] {gradients[0].mul(2)};
            }
            Tensor again = context.saved(0).detach().requiresGrad(true);
            try (var _ = GradMode.enableGrad()) {
                new Nested(depth - 1).apply(again).backward(gradients[0]);
            }
            return new Tensor[] {gradient(again)};
        }
    }

    @Test
    void passesNestInBackwardRules() {
        Tensor x = leaf(3);
        new Nested(50).apply(x).mul(5).backward();
        assertEquals(10, gradient(x).item());
        assertTrue(GradMode.enabled());
    }

    @Test
    void passesOverASharedGraphMayMeet() throws InterruptedException {
        Tensor x = leaf(0.5f, -1f);
        Tensor w = leaf(2f, 3f);
        Tensor y = x;
        for (int i = 0; i < 50; i++) {
            y = y.mul(w).tanh().add(x);
        }
        Tensor loss = y.sum();
        loss.backward(true);
        Tensor once = gradient(w).copy();
        w.grad(null);
        x.grad(null);
        int threads = 8;
        int passes = 20;
        var go = new CountDownLatch(1);
        List<Thread> started = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            started.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                await(go);
                                for (int i = 0; i < passes; i++) {
                                    loss.backward(true);
                                }
                            }));
        }
        go.countDown();
        for (Thread thread : started) {
            thread.join();
        }
        assertTrue(gradient(w).allclose(once.mul(threads * passes), 1e-4, 1e-4));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void samePassGivesTheSameBits() {
        Tensor x = leaf(0.1f, 0.7f, -0.3f);
        Tensor y = x.mul(x).add(x.tanh()).exp().sum();
        List<Tensor> first = Gradients.grad(List.of(y), List.of(x), List.of(), true);
        List<Tensor> second = Gradients.grad(List.of(y), List.of(x), List.of(), true);
        assertTrue(first.getFirst().equal(second.getFirst()));
    }
}
