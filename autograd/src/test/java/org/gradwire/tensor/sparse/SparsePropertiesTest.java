package org.gradwire.tensor.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.Shapes;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Laws of sparse tensors, over generated ones. jqwik prints the seed of a failure. */
class SparsePropertiesTest {

    /** A shape whose extents are at least 1, so that there is a place for elements. */
    @Provide
    Arbitrary<List<Integer>> shapes() {
        return Arbitraries.integers().between(1, 4).list().ofMinSize(1).ofMaxSize(4);
    }

    private static int[] ints(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Return integers at random places, some of them twice. */
    private static Tensor random(long seed, int[] shape, int sparseDim, int nnz) {
        var random = new SplittableRandom(seed);
        long[] indices = new long[sparseDim * nnz];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = random.nextInt(shape[i / nnz]);
        }
        int[] valueShape = SparseTensors.valueShape(nnz, shape, sparseDim);
        double[] values =
                random.doubles(Shapes.count(valueShape)).map(v -> Math.rint(v * 9)).toArray();
        return Tensor.sparseCoo(
                Tensor.of(indices, sparseDim, nnz), Tensor.of(values, valueShape), shape);
    }

    private static Tensor random(long seed, List<Integer> shape, int sparseDim, int nnz) {
        return random(seed, ints(shape), Math.min(sparseDim, shape.size()), nnz);
    }

    @Property
    void coalesceIsIdempotentAndKeepsTheElements(
            @ForAll("shapes") List<Integer> shape,
            @ForAll @IntRange(min = 1, max = 4) int sparseDim,
            @ForAll @IntRange(max = 12) int nnz,
            @ForAll long seed) {
        Tensor x = random(seed, shape, sparseDim, nnz);
        Tensor once = x.coalesce();
        assertTrue(once.coalesce().equal(once));
        assertTrue(once.isCoalesced());
        assertTrue(once.toDense().equal(x.toDense()));
        int[] keys = SparseTensors.keys(once.indices(), TensorAccess.dims(once));
        for (int i = 1; i < keys.length; i++) {
            assertTrue(keys[i - 1] < keys[i], () -> "indices must ascend: " + once);
        }
    }

    @Property
    void coalesceDoesNotDependOnTheOrder(
            @ForAll("shapes") List<Integer> shape,
            @ForAll @IntRange(min = 1, max = 4) int sparseDim,
            @ForAll @IntRange(max = 12) int nnz,
            @ForAll long seed) {
        Tensor x = random(seed, shape, sparseDim, nnz);
        int[] order = new int[nnz];
        Arrays.setAll(order, i -> nnz - 1 - i);
        Tensor columns =
                SparseTensors.gathered(x.heldIndices().t(), order, new int[] {nnz, x.sparseDim()});
        Tensor values = SparseTensors.gathered(x.heldValues(), order, x.heldValues().shape());
        Tensor reversed = Tensor.sparseCoo(columns.t(), values, x.shape());
        assertTrue(reversed.coalesce().equal(x.coalesce()));
    }

    @Property
    void denseFormOfAResultIsTheResultOfTheDenseForms(
            @ForAll("shapes") List<Integer> shape,
            @ForAll @IntRange(min = 1, max = 4) int sparseDim,
            @ForAll @IntRange(max = 12) int nnz,
            @ForAll long seed) {
        Tensor a = random(seed, shape, sparseDim, nnz);
        Tensor b = random(seed + 1, shape, sparseDim, nnz / 2);
        Tensor x = a.toDense();
        Tensor y = b.toDense();
        assertTrue(a.add(b).toDense().equal(x.add(y)));
        assertTrue(a.sub(b).toDense().equal(x.sub(y)));
        assertTrue(x.add(b).equal(x.add(y)));
        assertTrue(a.mul(b).toDense().equal(x.mul(y)));
        assertTrue(a.mul(y).toDense().equal(x.mul(y)));
        assertTrue(a.neg().div(2).toDense().equal(x.neg().div(2)));
        assertTrue(x.copy().add_(b, 3).equal(x.add(y.mul(3))));
        assertTrue(a.copy().add_(b, 3).toDense().equal(x.add(y.mul(3))));
        assertEquals(x.sum().item(), a.sum().item());
        assertTrue(x.toSparse(a.sparseDim()).toDense().equal(x));
    }

    @Property
    void partsAndJoinsAreThoseOfTheDenseForms(
            @ForAll("shapes") List<Integer> shape,
            @ForAll @IntRange(min = 1, max = 4) int sparseDim,
            @ForAll @IntRange(max = 12) int nnz,
            @ForAll @IntRange(max = 3) int dim,
            @ForAll boolean keepdim,
            @ForAll long seed) {
        Tensor a = random(seed, shape, sparseDim, nnz);
        Tensor b = random(seed + 1, shape, sparseDim, nnz / 2);
        Tensor x = a.toDense();
        Tensor y = b.toDense();
        int d = Math.min(dim, shape.size() - 1);
        int last = shape.get(d) - 1;
        assertTrue(
                Ops.stack(List.of(a, b), dim % (shape.size() + 1))
                        .toDense()
                        .equal(Ops.stack(List.of(x, y), dim % (shape.size() + 1))));
        assertTrue(Ops.cat(List.of(a, b), d).toDense().equal(Ops.cat(List.of(x, y), d)));
        assertTrue(a.select(d, last).toDense().equal(x.select(d, last)));
        assertTrue(a.narrow(d, last, 1).toDense().equal(x.narrow(d, last, 1)));
        int[] dims = {d};
        assertTrue(a.sum(dims, keepdim).toDense().equal(x.sum(dims, keepdim)));
    }
}
