package org.gradwire.autograd;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/** Custom functions: the arguments of their rules, and errors. */
class AutogradFunctionTest {

    /** A function made of two lambdas. */
    private static final class Lambdas extends AutogradFunction {
        private final BiFunction<FunctionContext, Tensor[], Tensor[]> forward;
        private final BiFunction<FunctionContext, Tensor[], @Nullable Tensor[]> backward;

        Lambdas(
                BiFunction<FunctionContext, Tensor[], Tensor[]> forward,
                BiFunction<FunctionContext, Tensor[], @Nullable Tensor[]> backward) {
            this.forward = forward;
            this.backward = backward;
        }

        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            return forward.apply(context, inputs);
        }

        @Override
        protected @Nullable Tensor[] backward(FunctionContext context, Tensor... gradients) {
            return backward.apply(context, gradients);
        }
    }

    /** x cubed. */
    static final class Cube extends AutogradFunction {
        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            context.saveForBackward(inputs[0]);
            return new Tensor[] {inputs[0].pow(3)};
        }

        @Override
        protected @Nullable Tensor[] backward(FunctionContext context, Tensor... gradients) {
            Tensor x = context.saved(0);
            return new Tensor[] {gradients[0].mul(x.mul(x).mul(3))};
        }
    }

    private static Tensor leaf(float... numbers) {
        return Tensor.of(numbers).requiresGrad(true);
    }

    private static Tensor gradient(Tensor leaf) {
        Tensor gradient = leaf.grad();
        assertNotNull(gradient);
        return gradient;
    }

    private static Node made(Tensor tensor) {
        Node node = tensor.gradFn();
        assertNotNull(node);
        return node;
    }

    /** A function of one input whose backward rule is all that counts. */
    private static Lambdas identity(
            BiFunction<FunctionContext, Tensor[], @Nullable Tensor[]> backward) {
        return new Lambdas((_, inputs) -> inputs, backward);
    }

    @Test
    void gradientFollowsTheBackwardRule() {
        Tensor x = leaf(2, 3);
        Tensor y = new Cube().apply(x);
        assertTrue(y.detach().equal(Tensor.of(8f, 27f)));
        assertEquals("CubeBackward", made(y).name());
        assertSame(AccumulateGrad.of(x), made(y).nextEdges().getFirst().node());
        y.mul(Tensor.of(1f, 10f)).sum().backward();
        assertTrue(gradient(x).equal(Tensor.of(12f, 270f)));
    }

    @Test
    void severalInputsAndResultsEachHaveTheirGradient() {
        var sumAndProduct =
                new Lambdas(
                        (context, in) -> {
                            context.saveForBackward(in);
                            return new Tensor[] {in[0].add(in[1]), in[0].mul(in[1])};
                        },
                        (context, g) ->
                                new Tensor[] {
                                    g[0].add(g[1].mul(context.saved(1))),
                                    g[0].add(g[1].mul(context.saved(0)))
                                });
        Tensor a = leaf(2);
        Tensor b = leaf(5);
        List<Tensor> results = sumAndProduct.applyAll(a, b);
        assertSame(results.get(0).gradFn(), results.get(1).gradFn());
        assertEquals(1, results.get(1).outputIndex());
        results.get(0).mul(100).add(results.get(1)).sum().backward();
        assertEquals(105, gradient(a).item());
        assertEquals(102, gradient(b).item());
        assertFails(
                IllegalStateException.class,
                "returned 2 results; get them with applyAll",
                () -> sumAndProduct.apply(a, b));
    }

    @Test
    void nothingIsRecordedWithoutANeedForIt() {
        var cube = new Cube();
        assertFalse(cube.apply(Tensor.of(2f)).requiresGrad());
        Tensor x = leaf(2);
        try (var _ = GradMode.noGrad()) {
            assertFalse(cube.apply(x).requiresGrad());
            Tensor same = identity((_, g) -> g).apply(x);
            assertFalse(same.requiresGrad());
            assertSame(TensorAccess.storage(x), TensorAccess.storage(same));
        }
        assertTrue(GradMode.enabled());
    }

    @Test
    void forwardAndBackwardAreNotRecorded() {
        Tensor x = leaf(2);
        Tensor outside = leaf(7);
        List<Boolean> recording = new ArrayList<>();
        var function =
                new Lambdas(
                        (_, in) -> {
                            recording.add(in[0].mul(outside).requiresGrad());
                            return new Tensor[] {in[0].mul(outside)};
                        },
                        (_, g) -> {
                            recording.add(GradMode.enabled());
                            return new Tensor[] {g[0].mul(outside)};
                        });
        function.apply(x).backward();
        assertEquals(List.of(false, false), recording);
        assertEquals(7, gradient(x).item());
        assertNull(outside.grad());
        assertFalse(gradient(x).requiresGrad());
    }

    @Test
    void inputThatIsReturnedBecomesAView() {
        Tensor x = leaf(2, 3);
        Tensor y = identity((_, g) -> new Tensor[] {g[0].mul(2)}).apply(x);
        assertNotSame(x, y);
        assertSame(TensorAccess.storage(x), TensorAccess.storage(y));
        assertTrue(x.isLeaf());
        y.sum().backward();
        assertTrue(gradient(x).equal(Tensor.of(2f, 2f)));
        List<Tensor> twice =
                new Lambdas(
                                (_, in) -> {
                                    Tensor once = in[0].mul(1);
                                    return new Tensor[] {once, once};
                                },
                                (_, g) -> new Tensor[] {g[0].add(g[1].mul(10))})
                        .applyAll(x);
        x.grad(null);
        twice.get(0).add(twice.get(1)).sum().backward();
        assertTrue(gradient(x).equal(Tensor.of(11f, 11f)));
    }

    @Test
    void needsInputGradTellsWhichGradientsAreWanted() {
        List<Boolean> needs = new ArrayList<>();
        var function =
                new Lambdas(
                        (_, in) -> new Tensor[] {in[0].add(in[1])},
                        (context, g) -> {
                            needs.add(context.needsInputGrad(0));
                            needs.add(context.needsInputGrad(1));
                            return new @Nullable Tensor[] {null, g[0]};
                        });
        Tensor b = leaf(1);
        function.apply(Tensor.of(1f), b).backward();
        assertEquals(List.of(false, true), needs);
        assertEquals(1, gradient(b).item());
    }

    @Test
    void resultsWithoutGradientAreGivenAsZeros() {
        for (boolean materialize : new boolean[] {true, false}) {
            List<Object> seen = new ArrayList<>();
            var function =
                    new Lambdas(
                            (context, in) -> {
                                context.setMaterializeGrads(materialize);
                                return new Tensor[] {in[0].mul(1), in[0].mul(2)};
                            },
                            (context, g) -> {
                                seen.add(context.hasGradient(0));
                                seen.add(context.hasGradient(1));
                                seen.add(TensorAccess.storage(g[1]).length());
                                seen.add(g[1].equal(Tensor.zeros(3)));
                                return new Tensor[] {g[0].add(g[1])};
                            });
            Tensor x = leaf(1, 2, 3);
            function.applyAll(x).getFirst().sum().backward();
            assertEquals(List.of(true, false, materialize ? 3 : 1, true), seen);
            assertTrue(gradient(x).equal(Tensor.ones(3)));
        }
    }

    @Test
    void nonDifferentiableResultsHaveNoHistory() {
        List<Integer> given = new ArrayList<>();
        var function =
                new Lambdas(
                        (context, in) -> {
                            Tensor mask = in[0].mul(0);
                            context.markNonDifferentiable(mask);
                            return new Tensor[] {in[0].mul(2), mask, Tensor.of(4L)};
                        },
                        (_, g) -> {
                            given.add(g.length);
                            return new Tensor[] {g[0].mul(2)};
                        });
        Tensor x = leaf(3);
        List<Tensor> results = function.applyAll(x);
        assertTrue(results.get(0).requiresGrad());
        assertFalse(results.get(1).requiresGrad());
        assertFalse(results.get(2).requiresGrad());
        results.getFirst().backward();
        assertEquals(List.of(3), given);
        assertEquals(2, gradient(x).item());
    }

    @Test
    void valuesTravelFromForwardToBackward() {
        var function =
                new Lambdas(
                        (context, in) -> {
                            context.put("factor", 5);
                            return new Tensor[] {in[0].mul(5)};
                        },
                        (context, g) ->
                                new Tensor[] {g[0].mul(context.get("factor", Integer.class))});
        Tensor x = leaf(3);
        function.apply(x).backward();
        assertEquals(5, gradient(x).item());
        var wrong =
                identity((context, g) -> new Tensor[] {g[0].mul(context.get("f", Integer.class))});
        assertFails(
                IllegalArgumentException.class,
                "LambdasBackward has nothing under the name 'f', expected a Integer",
                () -> wrong.apply(x).backward());
    }

    @Test
    void wrongNumberOfGradientsIsNamed() {
        Tensor x = leaf(1);
        var one = new Lambdas((_, in) -> new Tensor[] {in[0].add(in[1])}, (_, g) -> g);
        assertFails(
                IllegalStateException.class,
                "function LambdasBackward returned an incorrect number of gradients (expected 2, got 1)",
                () -> one.apply(x, x).backward());
        var nullsBehind = identity((_, g) -> new @Nullable Tensor[] {g[0], null, null});
        nullsBehind.apply(x).backward();
        assertEquals(1, gradient(x).item());
        var behind = identity((_, g) -> new Tensor[] {g[0], g[0]});
        assertFails(
                IllegalStateException.class,
                "(expected 1, got 2)",
                () -> behind.apply(x).backward());
    }

    @SuppressWarnings("NullAway") // tests null
    @Test
    void nullInPlaceOfAnArrayIsNamed() {
        Tensor x = leaf(1);
        assertFails(
                IllegalStateException.class,
                "function LambdasBackward returned null",
                () -> identity((_, _) -> null).apply(x).backward());
        assertFails(
                IllegalStateException.class,
                "forward of LambdasBackward returned no results",
                () -> new Lambdas((_, _) -> null, (_, g) -> g).apply(x));
    }

    @Test
    void wrongShapeAndTypeOfAGradientAreNamed() {
        Tensor x = leaf(1, 2);
        assertFails(
                IllegalStateException.class,
                "Function LambdasBackward returned an invalid gradient at index 0 - got [3] but expected shape compatible with [2]",
                () ->
                        identity((_, _) -> new Tensor[] {Tensor.ones(3)})
                                .apply(x)
                                .backward(Tensor.ones(2)));
        assertFails(
                IllegalStateException.class,
                "Function LambdasBackward returned an invalid gradient at index 0 - expected type float32 but got int64",
                () ->
                        identity((_, _) -> new Tensor[] {Tensor.of(1L, 2L)})
                                .apply(x)
                                .backward(Tensor.ones(2)));
        identity((_, _) -> new Tensor[] {Tensor.ones(DType.FLOAT64, 4, 2)})
                .apply(x)
                .backward(Tensor.ones(2));
        assertTrue(gradient(x).equal(Tensor.of(4f, 4f)));
    }

    @Test
    void savedTensorsAreFreedUnlessTheGraphIsRetained() {
        Tensor x = leaf(2);
        Tensor y = new Cube().apply(x);
        y.backward(true);
        y.backward();
        assertEquals(24, gradient(x).item());
        assertFails(
                IllegalStateException.class,
                "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed",
                y::backward);
        List<FunctionContext> kept = new ArrayList<>();
        var keeper =
                new Lambdas(
                        (context, in) -> {
                            context.saveForBackward(in);
                            return in;
                        },
                        (context, g) -> {
                            kept.add(context);
                            return g;
                        });
        keeper.apply(x).backward();
        assertFails(
                IllegalStateException.class,
                "directly access saved tensors after they have already been freed",
                () -> kept.getFirst().savedTensors());
    }

    @Test
    void functionThatSavesNothingMayRunAgain() {
        Tensor x = leaf(2);
        Tensor y = identity((_, g) -> g).apply(x);
        y.backward();
        y.backward();
        assertEquals(2, gradient(x).item());
    }

    @Test
    void changeOfASavedTensorIsCaught() {
        Tensor x = leaf(2, 3);
        Tensor input = x.mul(1);
        Tensor y = new Cube().apply(input);
        input.detach().select(0, 1).fill_(9);
        assertFails(
                IllegalStateException.class,
                "one of the tensors needed for gradient computation was changed in place: the float32 tensor [2], which is output 0 of MulBackward0, is at version 1; expected version 0 instead. Hint: CubeBackward needs it",
                () -> y.sum().backward());
        var savesResult =
                new Lambdas(
                        (context, in) -> {
                            Tensor result = in[0].exp();
                            context.saveForBackward(result);
                            return new Tensor[] {result};
                        },
                        (context, g) -> new Tensor[] {g[0].mul(context.saved(0))});
        Tensor z = savesResult.apply(x);
        try (var _ = GradMode.noGrad()) {
            z.mul_(2);
        }
        assertFails(
                IllegalStateException.class,
                "the float32 tensor [2], which is output 0 of LambdasBackward, is at version 1; expected version 0 instead.",
                () -> z.sum().backward());
    }

    @Test
    void forwardMustNotChangeAnInputThatRequiresGrad() {
        Tensor x = leaf(2);
        var function =
                new Lambdas(
                        (_, in) -> new Tensor[] {in[in.length - 1].mul_(2).mul(in[0])},
                        (_, g) -> g);
        assertFails(
                IllegalStateException.class,
                "forward of LambdasBackward changed its input 0 in place, which requires grad",
                () -> function.apply(x));
        Tensor buffer = Tensor.of(3f);
        assertEquals(24, function.apply(x, buffer).item()); // x is 4 by now
        assertEquals(6, buffer.item());
    }

    @Test
    void rulesUseTheContextInTheirTurn() {
        Tensor x = leaf(2);
        assertFails(
                IllegalStateException.class,
                "savedTensors of LambdasBackward was called in forward",
                () ->
                        new Lambdas(
                                        (context, _) ->
                                                context.savedTensors().toArray(Tensor[]::new),
                                        (_, g) -> g)
                                .apply(x));
        assertFails(
                IllegalStateException.class,
                "saveForBackward of LambdasBackward was called after forward",
                () ->
                        identity(
                                        (context, g) -> {
                                            context.saveForBackward(g);
                                            return g;
                                        })
                                .apply(x)
                                .backward());
    }

    @Test
    void gradientThatTheUserStoresElsewhereIsNotStolen() {
        Tensor x = leaf(1, 2);
        Tensor other = leaf(0, 0);
        Tensor y =
                identity(
                                (_, g) -> {
                                    other.grad(g[0]);
                                    return g;
                                })
                        .apply(x);
        y.mul(2).sum().backward();
        assertNotSame(TensorAccess.storage(gradient(other)), TensorAccess.storage(gradient(x)));
        Tensor saved = Tensor.of(5f, 6f);
        var returnsSaved =
                new Lambdas(
                        (context, in) -> {
                            context.saveForBackward(saved);
                            return in;
                        },
                        (context, _) -> new Tensor[] {context.saved(0)});
        x.grad(null);
        returnsSaved.apply(x).sum().backward();
        returnsSaved.apply(x).sum().backward();
        assertTrue(saved.equal(Tensor.of(5f, 6f)));
        assertTrue(gradient(x).equal(Tensor.of(10f, 12f)));
    }

    @Test
    void backwardMayRunAPassOfItsOwn() { // as checkpoints do
        var checkpoint =
                new Lambdas(
                        (context, in) -> {
                            context.saveForBackward(in);
                            return new Tensor[] {in[0].exp().mul(in[0])};
                        },
                        (context, g) -> {
                            Tensor again = context.saved(0).detach().requiresGrad(true);
                            try (var _ = GradMode.enableGrad()) {
                                again.exp().mul(again).backward(g[0]);
                            }
                            return new Tensor[] {gradient(again)};
                        });
        Tensor x = leaf(0.5f);
        Tensor y = leaf(0.5f);
        checkpoint.apply(checkpoint.apply(x)).backward();
        Tensor once = y.exp().mul(y);
        once.exp().mul(once).backward();
        assertTrue(gradient(x).allclose(gradient(y)));
    }

    @Test
    void oneFunctionMayBeUsedByManyThreads() throws InterruptedException {
        var cube = new Cube();
        Tensor shared = leaf(2);
        Tensor common = cube.apply(shared);
        int count = 16;
        var own = new Tensor[count];
        var threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            own[i] = leaf(i);
            threads[i] =
                    Thread.startVirtualThread(() -> {
                        cube.apply(own[number]).backward();
                        common.backward(true);
                    });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < count; i++) {
            assertEquals(3.0 * i * i, gradient(own[i]).item());
        }
        assertEquals(12.0 * count, gradient(shared).item());
    }

    @Test
    void doubleBackwardIsRefused() {
        Tensor x = leaf(2);
        List<Tensor> first = Gradients.grad(List.of(new Cube().apply(x)), List.of(x));
        assertFails(
                IllegalStateException.class,
                "requires no gradient and has no gradient function. Gradients, and results computed from them, have none: double backward is not supported",
                () -> first.getFirst().mul(first.getFirst()).sum().backward());
    }

    @Test
    void namelessClassesHaveANameToo() {
        var nameless =
                new AutogradFunction() {
                    @Override
                    protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
                        return inputs;
                    }

                    @Override
                    protected Tensor[] backward(FunctionContext context, Tensor... gradients) {
                        return gradients;
                    }
                };
        assertEquals("AutogradFunctionTest$1Backward", made(nameless.apply(leaf(1))).name());
        assertEquals(
                List.of("LambdasBackward"),
                Arrays.stream(new Tensor[] {identity((_, g) -> g).apply(leaf(1))})
                        .map(tensor -> made(tensor).name())
                        .toList());
    }
}
