package org.gradwire.autograd;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.Storage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** The engine: order, accumulation, hooks, ownership, failures, threads. */
class GraphTaskTest {
    private static final class Custom extends Node {
        private final UnaryOperator<@Nullable Tensor[]> rule;

        Custom(List<Edge> edges, UnaryOperator<@Nullable Tensor[]> rule) {
            super(edges);
            this.rule = rule;
        }

        @Override
        public String name() {
            return "CustomBackward";
        }

        @Override
        protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
            return rule.apply(gradients);
        }
    }

    private static Tensor custom(
            Tensor result, UnaryOperator<@Nullable Tensor[]> rule, Tensor... inputs) {
        Tensor output = result.detach();
        new Custom(Arrays.stream(inputs).map(Edge::of).toList(), rule).attach(output);
        return output;
    }

    private static Tensor leaf(float... numbers) {
        return Tensor.of(numbers).requiresGrad(true);
    }

    private static Tensor gradient(Tensor leaf) {
        Tensor gradient = leaf.grad();
        assertNotNull(gradient);
        return gradient;
    }

    /** Return a tensor with an awaited node. */
    private static Tensor awaited(Runnable whenSent) {
        Tensor sent = Tensor.of(1f).detach();
        new Node(List.of()) {
            @Override
            public String name() {
                return "SendBackward";
            }

            @Override
            protected boolean isAwaited() {
                return true;
            }

            @Override
            protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
                whenSent.run();
                return new Tensor[0];
            }
        }.attach(sent);
        return sent;
    }

    @Test
    void functionsThatOthersWaitForRunBeforeGradientsAreAccumulated() {
        List<String> order = new ArrayList<>();
        Tensor weight = leaf(1);
        weight.registerHook(gradient -> {
            order.add("accumulate");
            return gradient;
        });
        Tensor sent = awaited(() -> order.add("send"));
        for (Tensor[] inputs : List.of(new Tensor[] {sent, weight}, new Tensor[] {weight, sent})) {
            order.clear();
            custom(Tensor.of(1f), ones -> new Tensor[] {ones[0], ones[0]}, inputs).backward();
            assertEquals(List.of("send", "accumulate"), order);
        }
    }

    @Test
    void gradientsAreSummedAfterFunctionsThatOthersWaitFor() {
        Tensor weight = leaf(1);
        List<Tensor> parts = new ArrayList<>();
        List<Double> whenSent = new ArrayList<>();
        Tensor sent = awaited(() -> whenSent.add(parts.getFirst().item()));
        UnaryOperator<@Nullable Tensor[]> rule =
                ones -> {
                    Tensor part = Tensor.of(2f);
                    parts.add(part);
                    return new Tensor[] {part, ones[0]};
                };
        Tensor below = custom(Tensor.of(1f), rule, weight, sent);
        custom(Tensor.of(1f), rule, weight, below).backward();
        assertEquals(List.of(2.0), whenSent);
        assertEquals(4, parts.getFirst().item(), "the second part is added to the first");
        assertEquals(4, gradient(weight).item());
    }

    @Test
    void chainOfAMillionNodesRunsInConstantStack() {
        Tensor x = leaf(1);
        Tensor y = x;
        for (int i = 0; i < 1_000_000; i++) {
            y = y.add(1);
        }
        y.backward();
        assertEquals(1, gradient(x).item());
    }

    @Test
    void gradientsOfAllPathsAreSummedAndAccumulateOverPasses() {
        Tensor x = leaf(2, 3);
        x.mul(x).add(x).sum().backward();
        assertTrue(gradient(x).equal(Tensor.of(5f, 7f)));
        x.mul(2).sum().backward();
        assertTrue(gradient(x).equal(Tensor.of(7f, 9f)));
    }

    @Test
    void gradientsHaveTheShapeAndTypeOfTheirInput() {
        Tensor a = Tensor.ones(2, 3).requiresGrad(true);
        Tensor b = Tensor.ones(DType.FLOAT64, 3).requiresGrad(true);
        Tensor sum = a.add(b);
        assertEquals(DType.FLOAT64, sum.dtype());
        sum.sum().backward();
        assertTrue(gradient(a).equal(Tensor.ones(2, 3)));
        assertTrue(gradient(b).equal(Tensor.full(DType.FLOAT64, 2, 3)));
    }

    @Test
    void rootThatNeedsNoGradientIsRefused() {
        assertFails(
                IllegalStateException.class,
                "requires no gradient and has no gradient function",
                () -> Tensor.ones(1).backward());
    }

    @Test
    void rootThatIsNoScalarNeedsAGradient() {
        Tensor x = leaf(1, 2);
        assertFails(
                IllegalStateException.class,
                "grad can be implicitly created only for scalar outputs",
                () -> x.mul(2).backward());
        assertThrows(IllegalArgumentException.class, () -> x.mul(2).backward(Tensor.ones(3)));
        x.mul(2).backward(Tensor.of(1f, 10f));
        assertTrue(gradient(x).equal(Tensor.of(2f, 20f)));
    }

    @Test
    void secondPassOverFreedGraphIsRefusedUnlessNothingWasKept() {
        Tensor x = leaf(3);
        Tensor square = x.mul(x);
        square.backward(true);
        square.backward();
        assertEquals(12, gradient(x).item());
        assertFails(
                IllegalStateException.class,
                "Trying to backward through the graph a second time",
                square::backward);
        Tensor sum = x.add(x);
        sum.backward();
        sum.backward();
        assertEquals(16, gradient(x).item());
    }

    @Test
    void changeInPlaceOfAKeptTensorIsCaught() {
        Tensor x = leaf(3);
        Tensor factor = Tensor.of(2f);
        Tensor y = x.mul(factor);
        factor.add_(Tensor.of(1f));
        assertFails(IllegalStateException.class, "was changed in place", y::backward);
        assertFails(
                IllegalStateException.class, "is at version 1; expected version 0", y::backward);
    }

    @Test
    void nothingIsRecordedUnderNoGrad() {
        Tensor x = leaf(3);
        try (var _ = GradMode.noGrad()) {
            assertFalse(x.mul(x).requiresGrad());
            try (var _ = GradMode.enableGrad()) {
                assertTrue(x.mul(x).requiresGrad());
            }
            assertFalse(GradMode.enabled());
        }
        assertTrue(GradMode.enabled());
        assertFalse(x.detach().requiresGrad());
        assertFalse(GradMode.noGrad(() -> x.mul(x)).requiresGrad());
        assertThrows(IllegalStateException.class, () -> GradMode.noGrad(() -> fails()));
        assertTrue(GradMode.enabled());
    }

    private static Tensor fails() {
        throw new IllegalStateException("no tensor");
    }

    @Test
    void hookOfALeafRunsOncePerPassAfterSumming() {
        Tensor x = leaf(1, 2);
        HookHandle handle = x.registerHook(g -> g.mul(2));
        x.add(x).sum().backward();
        assertTrue(gradient(x).equal(Tensor.of(4f, 4f)));
        handle.remove();
        x.grad(null);
        x.add(x).sum().backward();
        assertTrue(gradient(x).equal(Tensor.of(2f, 2f)));
        assertThrows(IllegalStateException.class, () -> Tensor.ones(1).registerHook(g -> g.mul(2)));
    }

    @Test
    void hookOfAResultSeesItsWholeGradient() {
        Tensor x = leaf(1);
        Tensor y = x.mul(3);
        List<Double> seen = new ArrayList<>();
        y.registerHook(g -> {
            seen.add(g.item());
            return g.mul(10);
        });
        y.add(y).backward();
        assertEquals(List.of(2.0), seen);
        assertEquals(60, gradient(x).item());
    }

    @Test
    void hooksOfALeafRunInOrder() {
        Tensor x = leaf(1);
        List<String> order = new ArrayList<>();
        AccumulateGrad end = AccumulateGrad.of(x);
        x.registerHook(g -> {
            order.add("tensor " + (x.grad() == null));
            return g;
        });
        end.addPreHook(gradients -> {
            order.add("pre");
            return gradients;
        });
        end.addPostHook((outputs, inputs) -> {
            order.add("post " + outputs.length + " " + inputs.length);
            assertNotNull(x.grad());
        });
        x.mul(2).backward();
        assertEquals(List.of("pre", "tensor true", "post 0 1"), order);
    }

    @Test
    void postHooksOfTheOneAccumulatorRunOnce() { // DA-092, over a context's map
        Tensor t = Tensor.rand(new SplittableRandom(1), 10, 10).requiresGrad(true);
        Tensor a = t.add(t);
        var counter = new AtomicInteger();
        Node add = a.gradFn();
        assertNotNull(add);
        List<Edge> edges = add.nextEdges();
        assertSame(edges.get(0).node(), edges.get(1).node());
        edges.get(0).node().addPostHook((_, _) -> counter.addAndGet(1));
        edges.get(0).node().addPostHook((_, _) -> counter.addAndGet(2));
        edges.get(1).node().addPostHook((_, _) -> counter.addAndGet(2));
        Map<Tensor, Tensor> gradients = passOver(a.sum());
        assertEquals(5, counter.get());
        assertEquals(1, gradients.size());
        assertTrue(gradients.containsKey(t));
        assertNull(t.grad());
    }

    /** Run a pass that puts gradients into a map, as distributed autograd does. */
    private static Map<Tensor, Tensor> passOver(Tensor root) {
        var gradients = new IdentityHashMap<Tensor, Tensor>();
        var start = new GraphRoot(List.of(root));
        var task =
                new GraphTask(
                        List.of(start),
                        false,
                        (variable, gradient, exclusive) ->
                                gradients.merge(
                                        variable,
                                        Gradients.own(gradient, exclusive),
                                        (sum, more) -> Gradients.addTo(sum, more, false)));
        task.feed(start, true, Tensor.onesLike(root));
        task.completion().join();
        return gradients;
    }

    /** The three parts of DA-090, with custom nodes. */
    @Test
    void gradientIsStolenOnlyWhenContiguousAndUnshared() {
        Tensor a = Tensor.randn(new SplittableRandom(1), 5, 6).requiresGrad(true);
        Tensor b = Tensor.randn(new SplittableRandom(2), 5, 6).requiresGrad(true);
        List<Storage> made = new ArrayList<>();

        Tensor expanded =
                custom(
                        Tensor.ones(5, 6),
                        _ -> {
                            Tensor one = Tensor.ones(1).expand(5, 6);
                            made.add(TensorAccess.storage(one));
                            return new @Nullable Tensor[] {one};
                        },
                        a);
        Tensor strided = passOver(expanded.sum()).get(a);
        assertNotNull(strided);
        assertNotSame(made.getFirst(), TensorAccess.storage(strided));

        Tensor identity = custom(a, gradients -> noted(gradients, made), a);
        made.clear();
        Tensor stolen = passOver(identity.select(0, 1).select(0, 0)).get(a);
        assertNotNull(stolen);
        assertSame(made.getFirst(), TensorAccess.storage(stolen));

        Tensor both =
                custom(
                        a.detach().add(b.detach()),
                        gradients -> {
                            noted(gradients, made);
                            return new @Nullable Tensor[] {gradients[0], gradients[0]};
                        },
                        a,
                        b);
        made.clear();
        Map<Tensor, Tensor> two = passOver(both.select(0, 1).select(0, 0));
        Tensor first = two.get(a);
        Tensor second = two.get(b);
        assertNotNull(first);
        assertNotNull(second);
        assertNotSame(TensorAccess.storage(first), TensorAccess.storage(second));
        assertNotSame(made.getFirst(), TensorAccess.storage(first));
        assertNotSame(made.getFirst(), TensorAccess.storage(second));
    }

    private static @Nullable Tensor[] noted(@Nullable Tensor[] gradients, List<Storage> made) {
        Tensor gradient = gradients[0];
        assertNotNull(gradient);
        made.add(TensorAccess.storage(gradient));
        return gradients;
    }

    @Test
    void constantThatANodeReturnsIsNotStolen() {
        Tensor x = leaf(1, 2);
        Tensor constant = Tensor.of(5f, 6f);
        Tensor y = custom(x, _ -> new @Nullable Tensor[] {constant}, x);
        y.sum().backward();
        custom(x, _ -> new @Nullable Tensor[] {constant}, x).sum().backward();
        assertTrue(constant.equal(Tensor.of(5f, 6f)));
        assertTrue(gradient(x).equal(Tensor.of(10f, 12f)));
    }

    @Test
    void gradientGivenByTheUserIsNotStolen() {
        Tensor x = leaf(1, 2);
        Tensor seed = Tensor.of(1f, 1f);
        x.backward(seed);
        x.backward(seed);
        assertTrue(seed.equal(Tensor.of(1f, 1f)));
        assertTrue(gradient(x).equal(Tensor.of(2f, 2f)));
    }

    @Test
    void firstErrorEndsTheTaskAndTheGraphStaysUsable() {
        Tensor x = leaf(1);
        var broken = new AtomicInteger(1);
        Tensor y =
                custom(
                        x,
                        gradients -> {
                            if (broken.get() == 1) {
                                throw new IllegalStateException("Simulate error on backward pass");
                            }
                            return gradients;
                        },
                        x);
        assertFails(
                IllegalStateException.class,
                "Simulate error on backward pass",
                () -> y.add(0).backward());
        assertNull(x.grad());
        broken.set(0);
        y.add(0).backward();
        assertEquals(1, gradient(x).item());
    }

    @Test
    void feedingAfterTheEndIsIgnored() {
        Tensor x = leaf(1);
        var first = new GraphRoot(List.of(x));
        var second = new GraphRoot(List.of(x));
        var arrived = new AtomicInteger();
        var task =
                new GraphTask(
                        List.of(first, second), false, (_, _, _) -> arrived.incrementAndGet());
        task.fail(new IllegalStateException("peer lost"));
        task.fail(new IllegalStateException("later"));
        task.feed(first, true, Tensor.ones(1));
        task.feed(first, true, Tensor.ones(1));
        assertFails(CompletionException.class, "peer lost", () -> task.completion().join());
        assertEquals(0, arrived.get());
    }

    @Test
    void eachStartIsFedOnce() {
        Tensor x = leaf(1);
        var first = new GraphRoot(List.of(x));
        var second = new GraphRoot(List.of(x));
        var task = new GraphTask(List.of(first, second), false, (_, _, _) -> {});
        assertEquals(2, task.unfed().size());
        task.feed(first, true, Tensor.ones(1));
        assertEquals(List.of(second), task.unfed());
        assertThrows(IllegalArgumentException.class, () -> task.feed(first, true, Tensor.ones(1)));
        assertFalse(task.completion().isDone());
        task.feed(second, true, Tensor.ones(1));
        assertEquals(List.of(), task.unfed());
        assertTrue(task.completion().isDone());
    }

    @Test
    void leafWaitsForAllStarts() {
        Tensor x = leaf(1, 2);
        Tensor left = x.mul(2);
        Tensor right = x.mul(3);
        var first = new GraphRoot(List.of(left));
        var second = new GraphRoot(List.of(right));
        List<Tensor> arrived = new ArrayList<>();
        var task = new GraphTask(List.of(first, second), false, (_, g, _) -> arrived.add(g.copy()));
        task.feed(second, true, Tensor.ones(2));
        assertEquals(List.of(), arrived);
        task.feed(first, true, Tensor.ones(2));
        assertEquals(1, arrived.size());
        assertTrue(arrived.getFirst().equal(Tensor.of(5f, 5f)));
    }

    @Test
    void undefinedGradientsReachTheEnd() {
        Tensor x = leaf(1, 2);
        Tensor y = x.mul(2).exp();
        var start = new GraphRoot(List.of(y));
        var arrived = new AtomicInteger();
        var posted = new AtomicInteger();
        AccumulateGrad.of(x).addPostHook((_, _) -> posted.incrementAndGet());
        var task = new GraphTask(List.of(start), false, (_, _, _) -> arrived.incrementAndGet());
        task.feed(start, true, new @Nullable Tensor[] {null});
        task.completion().join();
        assertEquals(0, arrived.get());
        assertEquals(1, posted.get());
    }

    @Test
    void manyThreadsMayFeed() throws InterruptedException {
        int starts = 200;
        Tensor x = leaf(0);
        List<GraphRoot> roots = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            roots.add(new GraphRoot(List.of(x.mul(i).add(1))));
        }
        var running = new AtomicInteger();
        var task =
                new GraphTask(
                        roots,
                        false,
                        (variable, gradient, _) -> {
                            assertEquals(1, running.incrementAndGet());
                            variable.grad(gradient);
                            running.decrementAndGet();
                        });
        var go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (GraphRoot root : roots) {
            threads.add(
                    Thread.startVirtualThread(() -> {
                        await(go);
                        task.feed(root, true, Tensor.ones(1));
                    }));
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        task.completion().join();
        assertEquals(0.5 * starts * (starts - 1), gradient(x).item());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nodeMayRunAnotherPass() {
        Tensor x = leaf(3);
        Tensor inner = leaf(5);
        Tensor y =
                custom(
                        x,
                        gradients -> {
                            try (var _ = GradMode.enableGrad()) {
                                inner.mul(inner).backward();
                            }
                            return gradients;
                        },
                        x);
        y.mul(2).backward();
        assertEquals(2, gradient(x).item());
        assertEquals(10, gradient(inner).item());
    }

    @Test
    void wrongGradientsOfANodeAreNamed() {
        Tensor x = leaf(1, 2);
        Tensor shape = custom(x, _ -> new @Nullable Tensor[] {Tensor.ones(3)}, x);
        assertFails(
                IllegalStateException.class,
                "Function CustomBackward returned an invalid gradient at index 0 - got [3] but expected shape compatible with [2]",
                () -> shape.sum().backward());
        Tensor count = custom(x, _ -> new @Nullable Tensor[0], x);
        assertFails(
                IllegalStateException.class, "(expected 1, got 0)", () -> count.sum().backward());
    }

    @Test
    void graphShowsNamesAndEdges() {
        Tensor t1 = Tensor.ones(3, 3).requiresGrad(true);
        Tensor t2 = Tensor.zeros(3, 3).requiresGrad(true);
        Tensor sum = t1.add(t2);
        Node add = sum.gradFn();
        assertNotNull(add);
        assertEquals("AddBackward0", add.name());
        assertEquals(2, add.nextEdges().size());
        Edge edge = add.nextEdges().get(1);
        assertEquals("torch::autograd::AccumulateGrad", edge.node().name());
        assertEquals(0, edge.inputIndex());
        assertSame(t2, ((AccumulateGrad) edge.node()).variable());
        assertSame(edge.node(), AccumulateGrad.of(t2));
        Node product = t1.matmul(t2).gradFn();
        assertNotNull(product);
        assertEquals("MmBackward0", product.name());
        List<Tensor> parts = t1.split(2);
        assertSame(parts.get(0).gradFn(), parts.get(1).gradFn());
        assertEquals(1, parts.get(1).outputIndex());
    }
}
