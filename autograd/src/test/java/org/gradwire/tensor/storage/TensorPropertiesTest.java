package org.gradwire.tensor.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.ValuesAndIndices;
import org.gradwire.tensor.access.TensorAccess;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Laws of shapes, views and gradients, over generated ones. jqwik prints the seed of a failure. */
class TensorPropertiesTest {

    @Provide
    Arbitrary<List<Integer>> shapes() {
        return Arbitraries.integers().between(0, 4).list().ofMaxSize(4);
    }

    private static int[] ints(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Tensor random(long seed, int... shape) {
        return Tensor.randn(new SplittableRandom(seed), shape).to(DType.FLOAT64);
    }

    /** Turn a shape into one that broadcasts to it. */
    private static int[] shrunk(int[] shape, int dropped, int ones) {
        int[] rest = Arrays.copyOfRange(shape, Math.min(dropped, shape.length), shape.length);
        for (int d = 0; d < rest.length; d++) {
            rest[d] = (ones >> d & 1) == 1 ? 1 : rest[d];
        }
        return rest;
    }

    @Property
    void broadcastOperatorEqualsOperatorOnExpandedCopies(
            @ForAll("shapes") List<Integer> shape,
            @ForAll @IntRange(max = 4) int dropped,
            @ForAll @IntRange(max = 15) int ones,
            @ForAll long seed) {
        int[] whole = ints(shape);
        Tensor a = random(seed, whole);
        Tensor b = random(seed + 1, shrunk(whole, dropped, ones));
        Tensor expanded = b.expand(whole).copy();
        assertTrue(a.add(b).equal(a.add(expanded)));
        assertTrue(b.sub(a).equal(expanded.sub(a)));
        assertTrue(a.mul(b).equal(b.mul(a)));
        assertArrayEquals(whole, Shapes.broadcast(TensorAccess.dims(b), whole));
        assertArrayEquals(whole, Shapes.broadcast(whole, TensorAccess.dims(b)));
    }

    @Property
    void gradientOfABroadcastInputIsTheSumOverItsCopies(
            @ForAll("shapes") List<Integer> shape,
            @ForAll @IntRange(max = 4) int dropped,
            @ForAll @IntRange(max = 15) int ones,
            @ForAll long seed) {
        int[] whole = ints(shape);
        Tensor a = random(seed, whole);
        Tensor b = random(seed + 1, shrunk(whole, dropped, ones)).requiresGrad(true);
        a.mul(b).sum().backward();
        Tensor gradient = b.grad();
        assertNotNull(gradient);
        assertArrayEquals(TensorAccess.dims(b), TensorAccess.dims(gradient));
        assertEquals(
                a.mul(b.detach()).sum().item(),
                gradient.mul(b.detach()).sum().item(),
                1e-9 * Math.max(1, a.numel()));
    }

    /** A view made by some steps, and the copy of it. */
    @Provide
    Arbitrary<List<Integer>> steps() {
        return Arbitraries.integers().between(0, 1000).list().ofMaxSize(4);
    }

    private static Tensor viewed(Tensor x, List<Integer> steps) {
        Tensor view = x;
        for (int step : steps) {
            int dims = view.dim();
            int dim = dims == 0 ? 0 : step / 5 % dims;
            int size = dims == 0 ? 1 : view.size(dim);
            view =
                    switch (step % 5) {
                        case 0 -> dims == 0 ? view : view.transpose(dim, dims - 1 - dim);
                        case 1 -> dims == 0 || size == 0 ? view : view.narrow(dim, 0, size - 1);
                        case 2 -> dims == 0 || size == 0 ? view : view.select(dim, size - 1);
                        case 3 -> view.unsqueeze(dim);
                        default -> view.reshape(-1, 1);
                    };
        }
        return view;
    }

    @Property
    void operatorsDoNotSeeHowATensorLies(
            @ForAll("shapes") List<Integer> shape,
            @ForAll("steps") List<Integer> steps,
            @ForAll long seed) {
        if (shape.contains(0)) {
            return;
        }
        Tensor view = viewed(random(seed, ints(shape)), steps);
        Tensor copy = view.copy();
        assertTrue(copy.isContiguous());
        assertTrue(view.equal(copy));
        assertTrue(view.mul(view).allclose(copy.mul(copy), 1e-12, 1e-12));
        assertTrue(view.exp().allclose(copy.exp(), 1e-12, 1e-12));
        assertEquals(copy.sum().item(), view.sum().item(), 1e-9);
        for (int d = 0; d < view.dim(); d++) {
            assertTrue(view.sum(d).allclose(copy.sum(d), 1e-9, 1e-9));
            assertTrue(view.softmax(d).allclose(copy.softmax(d), 1e-9, 1e-9));
        }
        assertTrue(view.to(DType.FLOAT32).equal(copy.to(DType.FLOAT32)));
    }

    @Property
    void writingThroughAViewChangesItsElementsOnly(
            @ForAll("shapes") List<Integer> shape,
            @ForAll("steps") List<Integer> steps,
            @ForAll long seed) {
        if (shape.contains(0)) {
            return;
        }
        Tensor x = random(seed, ints(shape));
        Tensor view = viewed(x, steps);
        if (!TensorAccess.storage(view).equals(TensorAccess.storage(x))) {
            return;
        }
        double rest = x.sum().item() - view.sum().item();
        view.fill_(2);
        assertEquals(rest + 2.0 * view.numel(), x.sum().item(), 1e-9);
    }

    @Property
    void reshapesKeepTheOrderOfElements(
            @ForAll("shapes") List<Integer> shape,
            @ForAll("steps") List<Integer> steps,
            @ForAll long seed) {
        Tensor x = viewed(random(seed, ints(shape)), shape.contains(0) ? List.of() : steps);
        int[] flat = {x.numel()};
        assertArrayEquals(x.toDoubleArray(), x.reshape(flat).toDoubleArray());
        assertTrue(x.reshape(flat).reshape(x.shape()).equal(x));
        int[] strides = Shapes.viewStrides(TensorAccess.dims(x), TensorAccess.strides(x), flat);
        if (strides != null) {
            assertSame(TensorAccess.storage(x), TensorAccess.storage(x.reshape(flat)));
        }
    }

    @Property
    void splittingAndPuttingTogetherGivesTheWhole(
            @ForAll @IntRange(min = 1, max = 9) int size,
            @ForAll @IntRange(min = 1, max = 5) int part,
            @ForAll long seed) {
        Tensor x = random(seed, size, 3);
        assertTrue(Ops.cat(x.split(part), 0).equal(x));
        List<Tensor> rows = IntStream.range(0, size).mapToObj(i -> x.select(0, i)).toList();
        assertTrue(Ops.stack(rows, 0).equal(x));
        assertTrue(Ops.stack(rows, 1).equal(x.t()));
    }

    @Property
    void gradientsAreLinearInTheGradientOfTheResult(
            @ForAll @IntRange(min = 1, max = 5) int rows,
            @ForAll @IntRange(min = 1, max = 5) int columns,
            @ForAll long seed) {
        Tensor x = random(seed, rows, columns).requiresGrad(true);
        Tensor w = random(seed + 1, columns, 3);
        Tensor y = x.matmul(w).tanh().softmax(1);
        Tensor g1 = random(seed + 2, rows, 3);
        Tensor g2 = random(seed + 3, rows, 3);
        Tensor of1 = gradientOf(x, y, g1);
        Tensor of2 = gradientOf(x, y, g2);
        Tensor both = gradientOf(x, y, g1.mul(2).add(g2));
        assertTrue(both.allclose(of1.mul(2).add(of2), 1e-9, 1e-12));
    }

    private static Tensor gradientOf(Tensor x, Tensor y, Tensor gradient) {
        x.grad(null);
        y.backward(gradient, true);
        Tensor result = x.grad();
        assertNotNull(result);
        return result;
    }

    @Property
    void productsAgreeWithTheirDefinition(
            @ForAll @IntRange(min = 1, max = 7) int m,
            @ForAll @IntRange(min = 1, max = 7) int k,
            @ForAll @IntRange(min = 1, max = 7) int n,
            @ForAll boolean transposed,
            @ForAll long seed) {
        Tensor a = transposed ? random(seed, k, m).t() : random(seed, m, k);
        Tensor b = random(seed + 1, k, n);
        Tensor expected = a.unsqueeze(2).mul(b.unsqueeze(0)).sum(1);
        assertTrue(a.matmul(b).allclose(expected, 1e-9, 1e-12));
        assertTrue(b.t().matmul(a.t()).allclose(expected.t(), 1e-9, 1e-12));
        Tensor batch = a.unsqueeze(0).bmm(b.unsqueeze(0));
        assertTrue(batch.squeeze(0).allclose(expected, 1e-9, 1e-12));
    }

    /** Each way to go through memory gives what the plainest one gives. */
    @Property
    void reductionsOfViewsEqualThoseOfRows(
            @ForAll @IntRange(min = 1, max = 40) int a,
            @ForAll @IntRange(min = 1, max = 40) int b,
            @ForAll @IntRange(min = 1, max = 3) int c,
            @ForAll @IntRange(max = 2) int dim,
            @ForAll boolean turned,
            @ForAll long seed) {
        Tensor x = random(seed, a, b, c).mul(3).round().add(0.0); // no -0
        Tensor view = turned ? x.transpose(0, 1) : x;
        Tensor rows = view.transpose(dim, 2).contiguous();
        int length = rows.size(2);
        double[] numbers = rows.toDoubleArray();
        double[] largest = new double[numbers.length / length];
        long[] indices = new long[largest.length];
        double[] products = new double[largest.length];
        double[] sums = new double[numbers.length];
        for (int row = 0; row < largest.length; row++) {
            largest[row] = Double.NEGATIVE_INFINITY;
            products[row] = 1;
            double sum = 0;
            for (int i = 0; i < length; i++) {
                double number = numbers[row * length + i];
                if (number > largest[row]) {
                    largest[row] = number;
                    indices[row] = i;
                }
                products[row] *= number;
                sum += number;
                sums[row * length + i] = sum;
            }
        }
        ValuesAndIndices max = view.max(dim, true);
        assertArrayEquals(largest, max.values().transpose(dim, 2).toDoubleArray());
        assertArrayEquals(indices, max.indices().transpose(dim, 2).toLongArray());
        assertArrayEquals(
                products,
                view.prod(dim, true).transpose(dim, 2).toDoubleArray(),
                Arrays.stream(products).map(Math::abs).max().orElse(0) * 1e-12 + 1e-12);
        assertArrayEquals(sums, view.cumsum(dim).transpose(dim, 2).toDoubleArray());
        assertEquals(Arrays.stream(largest).max().orElseThrow(), view.amax().item());
    }
}
