package org.gradwire.tensor;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AccumulateGrad;
import org.gradwire.autograd.GradMode;
import org.gradwire.autograd.HookHandle;
import org.gradwire.autograd.Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Hooks of tensors and nodes: order, removal, permitted changes. */
class HooksTest {

    private static Tensor leaf(float... numbers) {
        return Tensor.of(numbers).requiresGrad(true);
    }

    private static Tensor gradient(Tensor tensor) {
        Tensor gradient = tensor.grad();
        assertNotNull(gradient);
        return gradient;
    }

    private static Node made(Tensor tensor) {
        Node node = tensor.gradFn();
        assertNotNull(node);
        return node;
    }

    @Test
    void accumulatorOfALeafIsTheSameInAllGraphs() {
        Tensor x = leaf(1);
        Node first = made(x.mul(2)).nextEdges().getFirst().node();
        Node second = made(x.exp()).nextEdges().getFirst().node();
        assertSame(first, second);
        assertSame(AccumulateGrad.of(x), first);
        assertSame(x, AccumulateGrad.of(x).variable());
        assertNotSame(AccumulateGrad.of(x), AccumulateGrad.of(leaf(1)));
    }

    @Test
    void hooksOfAResultRunInTheOrderTheyWereAdded() {
        Tensor x = leaf(3);
        Tensor y = x.mul(2);
        y.registerHook(g -> g.mul(10));
        y.registerHook(g -> g.add(1));
        made(y).addPreHook(g -> new @Nullable Tensor[] {g[0] == null ? null : g[0].add(4)});
        made(y).addPreHook(g -> new @Nullable Tensor[] {g[0] == null ? null : g[0].mul(3)});
        y.backward();
        assertEquals(2 * (((1 + 4) * 3) * 10 + 1), gradient(x).item());
    }

    @Test
    void postHookSeesWhatANodeGotAndGave() {
        Tensor x = leaf(3);
        Tensor y = x.mul(2);
        List<Double> seen = new ArrayList<>();
        made(y).addPostHook((outputs, inputs) -> {
            Tensor output = outputs[0];
            Tensor input = inputs[0];
            assertNotNull(output);
            assertNotNull(input);
            seen.add(output.item());
            seen.add(input.item());
        });
        y.mul(5).backward();
        assertEquals(List.of(10.0, 5.0), seen);
    }

    @Test
    void eachHandleRemovesItsOwnHook() {
        Tensor x = leaf(1);
        Node.TensorHook twice = g -> g.mul(2);
        HookHandle first = x.registerHook(twice);
        HookHandle second = x.registerHook(twice);
        x.mul(1).backward();
        assertEquals(4, gradient(x).item());
        first.remove();
        first.remove();
        x.grad(null);
        x.mul(1).backward();
        assertEquals(2, gradient(x).item());
        second.remove();
        x.grad(null);
        x.mul(1).backward();
        assertEquals(1, gradient(x).item());

        List<String> ran = new ArrayList<>();
        AccumulateGrad end = AccumulateGrad.of(x);
        Node.PostHook post = (_, _) -> ran.add("post");
        Node.PreHook pre =
                g -> {
                    ran.add("pre");
                    return g;
                };
        List<HookHandle> handles =
                List.of(
                        end.addPostHook(post),
                        end.addPostHook(post),
                        end.addPreHook(pre),
                        end.addPreHook(pre));
        handles.get(0).remove();
        handles.get(0).remove();
        handles.get(2).remove();
        handles.get(2).remove();
        x.mul(1).backward();
        assertEquals(List.of("pre", "post"), ran);
    }

    @Test
    void hookMayRemoveItselfWhileItRuns() {
        Tensor x = leaf(1);
        List<HookHandle> own = new ArrayList<>();
        own.add(
                x.registerHook(g -> {
                    own.getFirst().remove();
                    return g.mul(7);
                }));
        x.mul(1).backward();
        x.mul(1).backward();
        assertEquals(8, gradient(x).item());
    }

    @SuppressWarnings("NullAway") // tests null
    @Test
    void whatAHookGivesIsChecked() {
        Tensor x = leaf(1, 2);
        refused(x, _ -> Tensor.ones(3), "has changed the size of value (was [2] got [3])");
        refused(
                x,
                g -> g.to(DType.FLOAT64),
                "has changed the type of value (was float32 got float64)");
        refused(x, _ -> null, "a hook of torch::autograd::AccumulateGrad returned null");
        Tensor y = x.mul(2);
        made(y).addPreHook(_ -> new @Nullable Tensor[0]);
        assertFails(
                IllegalStateException.class,
                "a pre-hook of MulBackward0 returned an incorrect number of gradients (expected 1, got 0)",
                () -> y.sum().backward());
        Tensor z = x.mul(2);
        made(z).addPreHook(_ -> new @Nullable Tensor[] {Tensor.ones(4)});
        assertFails(
                IllegalStateException.class,
                "a hook of MulBackward0 has changed the size of value (was [2] got [4])",
                () -> z.sum().backward());
        assertNull(x.grad());
    }

    private static void refused(Tensor x, Node.TensorHook hook, String text) {
        HookHandle handle = x.registerHook(hook);
        assertFails(IllegalStateException.class, text, () -> x.mul(1).sum().backward());
        handle.remove();
    }

    @Test
    void arrayThatAPreHookKeepsIsItsOwn() {
        Tensor x = leaf(1);
        Tensor y = x.mul(1);
        @Nullable Tensor[] kept = {Tensor.of(5f)};
        made(y).addPreHook(_ -> kept);
        y.registerHook(g -> g.mul(2));
        y.mul(1).backward(true);
        y.mul(1).backward();
        assertEquals(20, gradient(x).item());
        assertTrue(Tensor.of(5f).equal(kept[0] == null ? Tensor.of(0f) : kept[0]));
    }

    @Test
    void hookThatThrowsEndsThePassAndTheThreadIsAsBefore() {
        Tensor x = leaf(1);
        Tensor y = x.mul(1);
        HookHandle bad =
                made(y).addPostHook((_, _) -> {
                    throw new IllegalStateException("post says no");
                });
        assertFails(IllegalStateException.class, "post says no", () -> y.mul(2).backward());
        assertTrue(GradMode.enabled());
        assertNull(x.grad());
        bad.remove();
        HookHandle worse =
                AccumulateGrad.of(x)
                        .addPreHook(_ -> {
                            throw new AssertionError("pre says no");
                        });
        assertFails(AssertionError.class, "pre says no", () -> x.mul(2).backward());
        worse.remove();
        x.mul(2).backward();
        assertEquals(2, gradient(x).item());
    }

    @Test
    void gradientThatAHookKeepsIsNotStolen() {
        Tensor x = leaf(1, 2);
        List<Tensor> kept = new ArrayList<>();
        x.registerHook(g -> {
            kept.add(g);
            return g;
        });
        x.mul(3).sum().backward();
        x.mul(3).sum().backward();
        assertTrue(kept.getFirst().equal(Tensor.of(3f, 3f)));
        assertTrue(gradient(x).equal(Tensor.of(6f, 6f)));
    }

    @Test
    void gradientThatAPostHookKeepsIsNotStolen() {
        Tensor x = leaf(1, 2);
        List<@Nullable Tensor> kept = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Tensor y = x.mul(3);
            made(y).addPostHook((outputs, _) -> kept.add(outputs[0]));
            y.sum().backward();
        }
        Tensor first = kept.getFirst();
        assertNotNull(first);
        assertTrue(first.equal(Tensor.of(3f, 3f)));
        assertTrue(gradient(x).equal(Tensor.of(6f, 6f)));
    }

    @Test
    void hooksAfterAccumulationSeeTheSumAndMayChangeIt() {
        Tensor x = leaf(1, 2);
        List<Tensor> seen = new ArrayList<>();
        HookHandle handle =
                AccumulateGrad.of(x)
                        .addPostAccumulateHook((leaf, task) -> {
                            assertSame(x, leaf);
                            Tensor sum = task.gradient(leaf);
                            assertNotNull(sum);
                            seen.add(sum.copy());
                            sum.mul_(10);
                        });
        x.mul(3).add(x).sum().backward(); // two edges to the leaf, one run
        x.sum().backward();
        handle.remove();
        x.sum().backward();
        assertEquals(2, seen.size());
        assertTrue(seen.getFirst().equal(Tensor.of(4f, 4f)));
        assertTrue(seen.getLast().equal(Tensor.of(41f, 41f)));
        assertTrue(gradient(x).equal(Tensor.of(411f, 411f)));
    }

    @Test
    void hooksAfterAccumulationRunWhereAGradientArrives() {
        Tensor x = leaf(1);
        Tensor other = leaf(2);
        AccumulateGrad.of(x)
                .addPostAccumulateHook((_, _) -> {
                    throw new AssertionError("ran");
                });
        other.mul(2).backward();
        Tensor y = x.mul(other);
        x.requiresGrad(false);
        y.backward();
        assertNull(x.grad());
        assertEquals(3, gradient(other).item());
    }

    @Test
    void actionsAtTheEndRunAfterTheLastNodeAndMayAddGradients() {
        Tensor x = leaf(1);
        Tensor later = leaf(2);
        Tensor unused = leaf(3);
        AccumulateGrad.of(x)
                .addPostAccumulateHook((_, task) ->
                        task.atEnd(() -> {
                            assertEquals(5, gradient(later).item());
                            assertNull(task.gradient(unused));
                            task.accumulate(unused, Tensor.of(7f));
                        }));
        later.mul(5).add(x).backward();
        assertEquals(7, gradient(unused).item());
    }

    @Test
    void aFailureAtTheEndFailsThePass() {
        Tensor x = leaf(1);
        AccumulateGrad.of(x)
                .addPostAccumulateHook((_, task) ->
                        task.atEnd(() -> {
                            throw new AssertionError("at the end");
                        }));
        assertFails(AssertionError.class, "at the end", () -> x.mul(2).backward());
    }
}
