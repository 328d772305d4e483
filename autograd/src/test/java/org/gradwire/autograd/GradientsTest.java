package org.gradwire.autograd;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gradients with respect to chosen tensors, and those that results retain. */
class GradientsTest {

    private static Tensor leaf(float... numbers) {
        return Tensor.of(numbers).requiresGrad(true);
    }

    private static Tensor gradient(Tensor tensor) {
        Tensor gradient = tensor.grad();
        assertNotNull(gradient);
        return gradient;
    }

    private static void count(Tensor tensor, List<String> names) {
        Node node = tensor.gradFn();
        assertNotNull(node);
        node.addPostHook((_, _) -> names.add(node.name()));
    }

    @Test
    void gradLeavesGradAlone() {
        Tensor x = leaf(2, 3);
        Tensor w = leaf(5, 7);
        Tensor y = x.mul(w);
        List<Tensor> gradients = Gradients.grad(List.of(y.mul(y).sum()), List.of(w, y, x));
        assertTrue(gradients.get(0).equal(Tensor.of(2f * 20, 2f * 63)));
        assertTrue(gradients.get(1).equal(Tensor.of(20f, 42f)));
        assertTrue(gradients.get(2).equal(Tensor.of(100f, 294f)));
        assertNull(x.grad());
        assertNull(w.grad());
        assertFalse(gradients.getFirst().requiresGrad());
    }

    @Test
    void onlyWhatLiesBetweenIsComputed() {
        Tensor x = leaf(2);
        Tensor before = x.exp();
        Tensor middle = before.mul(2);
        Tensor other = x.sin();
        Tensor end = middle.mul(other);
        List<String> ran = new ArrayList<>();
        count(before, ran);
        count(middle, ran);
        count(other, ran);
        count(end, ran);
        List<Tensor> found = Gradients.grad(List.of(end), List.of(middle), List.of(), true);
        assertEquals(List.of("MulBackward0"), ran);
        assertTrue(found.getFirst().equal(other.detach()));
        ran.clear();
        Gradients.backward(List.of(end), List.of(), true, List.of(before));
        assertEquals(2, ran.size());
        assertNull(x.grad());
        assertTrue(gradient(before).equal(other.detach().mul(2)));
    }

    @Test
    void severalOutputsAreWeighted() {
        Tensor x = leaf(1, 2);
        Tensor a = x.mul(2);
        Tensor b = x.mul(x);
        Tensor weight = Tensor.of(10f, 100f);
        List<Tensor> found =
                Gradients.grad(List.of(a, b), List.of(x), List.of(Tensor.ones(2), weight), true);
        assertTrue(found.getFirst().equal(Tensor.of(22f, 402f)));
        Gradients.backward(List.of(a.sum(), b.sum()), List.of(), false);
        assertTrue(gradient(x).equal(Tensor.of(4f, 6f)));
        assertTrue(weight.equal(Tensor.of(10f, 100f)));
    }

    @Test
    void outputMayBeAnInput() {
        Tensor x = leaf(1, 2);
        Tensor seed = Tensor.of(3f, 4f);
        Tensor y = x.mul(2);
        List<Tensor> found = Gradients.grad(List.of(y), List.of(y, y, x), List.of(seed), false);
        assertTrue(found.get(0).equal(seed));
        assertNotSame(TensorAccess.storage(seed), TensorAccess.storage(found.get(0)));
        assertNotSame(TensorAccess.storage(found.get(0)), TensorAccess.storage(found.get(1)));
        assertTrue(found.get(2).equal(Tensor.of(6f, 8f)));
        Tensor same = Gradients.grad(List.of(x), List.of(x), List.of(seed), false).getFirst();
        assertTrue(same.equal(seed));
        assertNotSame(TensorAccess.storage(seed), TensorAccess.storage(same));
    }

    @Test
    void unusedInputsAreNamedUnlessAllowed() {
        Tensor x = leaf(1);
        Tensor unused = leaf(1);
        Tensor y = x.mul(2);
        assertFails(
                IllegalStateException.class,
                "One of the differentiated Tensors appears to not have been used in the graph.",
                () -> Gradients.grad(List.of(y), List.of(x, unused)));
        List<Optional<Tensor>> found =
                Gradients.gradAllowUnused(List.of(y), List.of(x, unused), List.of(), false);
        assertEquals(2, found.getFirst().orElseThrow().item());
        assertEquals(Optional.empty(), found.getLast());
    }

    @Test
    void nonsenseIsRefused() {
        Tensor x = leaf(1, 2);
        Tensor y = x.mul(2);
        Tensor plain = Tensor.ones(2);
        assertFails(
                IllegalArgumentException.class,
                "grad requires non-empty inputs.",
                () -> Gradients.grad(List.of(y), List.of()));
        assertFails(
                IllegalArgumentException.class,
                "'inputs' argument to backward cannot be empty.",
                () -> Gradients.backward(List.of(y), List.of(), false, List.of()));
        assertFails(
                IllegalArgumentException.class,
                "needs at least one tensor",
                () -> Gradients.grad(List.of(), List.of(x)));
        assertFails(
                IllegalStateException.class,
                "One of the differentiated Tensors does not require grad: float32[2]",
                () -> Gradients.grad(List.of(y.sum()), List.of(plain)));
        assertFails(
                IllegalStateException.class,
                "tensor 1 requires no gradient and has no gradient function",
                () -> Gradients.grad(List.of(y.sum(), plain.sum()), List.of(x)));
        assertFails(
                IllegalArgumentException.class,
                "got 2 tensors and 1 gradients",
                () -> Gradients.grad(List.of(y, y), List.of(x), List.of(plain), false));
        assertFails(
                IllegalArgumentException.class,
                "gradient 1 has shape [3], but tensor 1 has shape [2]; they must have the same shape",
                () ->
                        Gradients.grad(
                                List.of(y, y), List.of(x), List.of(plain, Tensor.ones(3)), false));
        assertFails(
                IllegalStateException.class,
                "grad can be implicitly created only for scalar outputs",
                () -> Gradients.grad(List.of(y), List.of(x)));
    }

    @Test
    void restrictedPassAccumulatesInTheInputsOnly() {
        Tensor x = leaf(2);
        Tensor w = leaf(3);
        Tensor y = x.mul(w);
        List<String> posts = new ArrayList<>();
        AccumulateGrad.of(w).addPostHook((_, _) -> posts.add("w"));
        AccumulateGrad.of(x).addPostHook((_, _) -> posts.add("x"));
        Tensor loss = y.mul(y);
        Gradients.backward(List.of(loss), List.of(), true, List.of(w, w, y));
        Gradients.backward(List.of(loss), List.of(), true, List.of(w));
        assertNull(x.grad());
        assertEquals(2 * 2 * 6 * 2, gradient(w).item());
        assertEquals(12, gradient(y).item());
        assertEquals(List.of("w", "w"), posts);
    }

    @Test
    void freedGraphIsNamedByGradToo() {
        Tensor x = leaf(2);
        Tensor y = x.mul(x);
        Gradients.grad(List.of(y), List.of(x));
        assertFails(
                IllegalStateException.class,
                "Trying to backward through the graph a second time",
                () -> Gradients.grad(List.of(y), List.of(x)));
    }

    @Test
    void resultRetainsItsGradientWhenTold() {
        Tensor x = leaf(2, 3);
        Tensor y = x.mul(2);
        Tensor unasked = y.mul(3);
        assertFalse(y.retainsGrad());
        assertSame(y, y.retainGrad().retainGrad());
        assertTrue(y.retainsGrad());
        Tensor loss = unasked.sum();
        loss.backward(true);
        assertTrue(gradient(y).equal(Tensor.of(3f, 3f)));
        assertNull(unasked.grad());
        loss.backward(true);
        assertTrue(gradient(y).equal(Tensor.of(6f, 6f)));
        assertTrue(gradient(x).equal(Tensor.of(12f, 12f)));
        Gradients.backward(List.of(loss), List.of(), false, List.of(y));
        assertTrue(gradient(y).equal(Tensor.of(9f, 9f)));
    }

    @Test
    void retainedGradientIsWhatHooksLeaveAndACopy() {
        Tensor x = leaf(2);
        Tensor y = x.mul(2);
        List<Tensor> seen = new ArrayList<>();
        y.retainGrad();
        y.registerHook(g -> {
            Tensor other = g.mul(10);
            seen.add(other);
            return other;
        });
        y.mul(1).backward();
        assertEquals(10, gradient(y).item());
        assertNotSame(TensorAccess.storage(seen.getFirst()), TensorAccess.storage(gradient(y)));
        gradient(y).fill_(99);
        assertEquals(20, gradient(x).item());
    }

    @Test
    void leavesRetainTheirGradientsAnyway() {
        Tensor x = leaf(2);
        assertSame(x, x.retainGrad());
        assertFalse(x.retainsGrad());
        x.mul(3).backward();
        assertEquals(3, gradient(x).item());
        assertFails(
                IllegalStateException.class,
                "a tensor that requires no gradient cannot retain one",
                () -> Tensor.ones(1).retainGrad());
    }

    @Test
    void leafThatWantsNoGradientAnyMoreGetsNone() {
        Tensor x = leaf(2);
        Tensor w = leaf(3);
        Tensor y = x.mul(w);
        w.requiresGrad(false);
        y.backward();
        assertNull(w.grad());
        assertEquals(3, gradient(x).item());
    }
}
