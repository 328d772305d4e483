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
import net.jqwik.api.constraints.Size;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Index;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.RowCases;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Laws of views, shapes and indices. jqwik prints the seed of a failure. */
class ViewPropertiesTest {

    @Provide
    Arbitrary<List<Integer>> shapes() {
        return Arbitraries.integers().between(1, 4).list().ofMinSize(1).ofMaxSize(4);
    }

    @Provide
    Arbitrary<List<Integer>> steps() {
        return Arbitraries.integers().between(0, 9999).list().ofMaxSize(5);
    }

    private static int[] ints(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Tensor random(long seed, int... shape) {
        return Tensor.randn(new SplittableRandom(seed), DType.FLOAT64, shape);
    }

    /** One view of a tensor, chosen by a number. */
    private static Tensor view(Tensor x, int step) {
        int dims = x.dim();
        if (dims == 0) {
            return x.unsqueeze(0);
        }
        int choice = step / 10;
        int dim = choice % dims;
        int other = choice / 7 % dims;
        int size = x.size(dim);
        return switch (step % 10) {
            case 0 -> x.permute(order(dims, choice));
            case 1 -> x.movedim(dim, other);
            case 2 -> x.slice(dim, choice % 3 - 1, size - choice % 2, 1 + choice % 3);
            case 3 -> size == 0 ? x : x.select(dim, choice % size);
            case 4 ->
                    x.unsqueeze(dim)
                            .expandAs(Tensor.zeros(Shapes.with(TensorAccess.dims(x), dim, 2)));
            case 5 -> dim == other ? x.squeeze() : x.diagonal(choice % 3 - 1, dim, other);
            case 6 -> x.unflatten(dim, 1, size);
            case 7 -> x.split(new int[] {size / 2, size - size / 2}, dim).get(choice % 2);
            case 8 -> size == 0 ? x : x.unbind(dim).get(choice % size);
            default -> x.at(Index.ellipsis(), Index.newAxis(), Index.step(1 + choice % 2));
        };
    }

    private static int[] order(int dims, int seed) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, dims).boxed().toList());
        Collections.shuffle(order, new Random(seed));
        return ints(order);
    }

    private static Tensor views(Tensor x, List<Integer> steps) {
        Tensor result = x;
        for (int step : steps) {
            result = view(result, step);
        }
        return result;
    }

    private static Tensor copies(Tensor x, List<Integer> steps) {
        Tensor result = x;
        for (int step : steps) {
            result = view(result, step).copy();
        }
        return result;
    }

    private static Tensor gradient(Tensor x, Tensor result) {
        result.mul(RowCases.weights(result)).sum().backward();
        Tensor gradient = x.grad();
        x.grad(null);
        return gradient == null ? Tensor.zerosLike(x) : gradient;
    }

    @Property
    void aChainOfViewsIsAsGoodAsAChainOfCopies(
            @ForAll("shapes") List<Integer> shape,
            @ForAll("steps") List<Integer> steps,
            @ForAll long seed) {
        Tensor x = random(seed, ints(shape)).requiresGrad(true);
        Tensor viewed = views(x, steps);
        Tensor copied = copies(x, steps);
        assertArrayEquals(copied.shape(), viewed.shape());
        assertTrue(viewed.equal(copied));
        assertTrue(
                gradient(x, views(x, steps).mul(2))
                        .allclose(gradient(x, copied.mul(2)), 1e-12, 1e-12));
        assertTrue(viewed.flip(allDims(viewed)).equal(copied.flip(allDims(viewed))));
        assertTrue(viewed.roll(3).equal(copied.roll(3)));
        assertEquals(copied.detach().toString(), viewed.detach().toString());
    }

    private static int[] allDims(Tensor x) {
        return IntStream.range(0, x.dim()).toArray();
    }

    @Property
    void viewsShareStorageAndSeeEachOthersChanges(
            @ForAll("shapes") List<Integer> shape,
            @ForAll("steps") List<Integer> steps,
            @ForAll("steps") List<Integer> others,
            @ForAll long seed) {
        Tensor x = random(seed, ints(shape));
        Tensor one = views(x, steps);
        Tensor other = views(x, others);
        assertSame(TensorAccess.storage(x), TensorAccess.storage(one));
        one.fill_(100);
        // The elements of the other view that the first one has, by their places in the whole.
        Tensor places = Tensor.arange(x.numel()).reshape(ints(shape));
        long[] changed = views(places, steps).toLongArray();
        Arrays.sort(changed);
        long[] seen = views(places, others).toLongArray();
        double[] numbers = other.toDoubleArray();
        double[] before = random(seed, ints(shape)).toDoubleArray();
        for (int i = 0; i < seen.length; i++) {
            boolean hit = Arrays.binarySearch(changed, seen[i]) >= 0;
            assertEquals(hit ? 100 : before[(int) seen[i]], numbers[i]);
        }
    }

    @Property
    void permutingBackGivesTheSame(
            @ForAll("shapes") List<Integer> shape, @ForAll int shuffle, @ForAll long seed) {
        Tensor x = random(seed, ints(shape));
        int[] order = order(x.dim(), shuffle);
        int[] inverse = new int[order.length];
        for (int d = 0; d < order.length; d++) {
            inverse[order[d]] = d;
        }
        assertTrue(x.permute(order).permute(inverse).equal(x));
        assertTrue(x.movedim(order, allDims(x)).equal(x.permute(order)));
        assertTrue(x.permute(order).flatten().equal(x.permute(order).reshape(-1)));
    }

    @Property
    void broadcastingIsCommutativeAssociativeAndIdempotent(
            @ForAll("shapes") List<Integer> shape,
            @ForAll @Size(3) List<@IntRange(max = 255) Integer> masks) {
        int[] a = shrunk(ints(shape), masks.get(0));
        int[] b = shrunk(ints(shape), masks.get(1));
        int[] c = shrunk(ints(shape), masks.get(2));
        assertArrayEquals(Shapes.broadcast(a, b), Shapes.broadcast(b, a));
        assertArrayEquals(
                Shapes.broadcast(Shapes.broadcast(a, b), c),
                Shapes.broadcast(a, Shapes.broadcast(b, c)));
        assertArrayEquals(a, Shapes.broadcast(a, a));
        int[] whole = Shapes.broadcast(Shapes.broadcast(a, b), c);
        Ops.broadcastTensors(List.of(Tensor.zeros(a), Tensor.zeros(b), Tensor.zeros(c)))
                .forEach(x -> assertArrayEquals(whole, x.shape()));
    }

    /** A shape that broadcasts to another: some extents are 1, some leading ones are left out. */
    private static int[] shrunk(int[] shape, int mask) {
        int[] rest = Arrays.copyOfRange(shape, (mask >> 4) % (shape.length + 1), shape.length);
        Arrays.setAll(rest, d -> (mask >> d & 1) == 1 ? 1 : rest[d]);
        return rest;
    }

    @Property
    void catOfPartsIsTheWhole(
            @ForAll("shapes") List<Integer> shape,
            @ForAll @IntRange(max = 3) int choice,
            @ForAll @IntRange(min = 1, max = 5) int chunks,
            @ForAll long seed) {
        Tensor x = random(seed, ints(shape));
        int dim = choice % x.dim();
        int size = x.size(dim);
        assertTrue(Ops.cat(x.chunk(chunks, dim), dim).equal(x));
        assertTrue(Ops.cat(x.split(new int[] {1, 0, size - 1}, dim), dim).equal(x));
        assertTrue(Ops.stack(x.unbind(dim), dim).equal(x));
        assertTrue(x.unflatten(dim, 1, -1).flatten(dim, dim + 1).equal(x));
    }

    @Property
    void slicesOfSlicesAreSlices(
            @ForAll @IntRange(max = 20) int size,
            @ForAll @Size(2) List<@IntRange(min = -25, max = 25) Integer> first,
            @ForAll @Size(2) List<@IntRange(max = 25) Integer> second,
            @ForAll @IntRange(min = 1, max = 4) int step,
            @ForAll @IntRange(min = 1, max = 4) int stride) {
        Tensor x = Tensor.arange(size);
        int start = Math.clamp(first.get(0) < 0 ? first.get(0) + size : first.get(0), 0, size);
        int end = Math.clamp(first.get(1) < 0 ? first.get(1) + size : first.get(1), 0, size);
        Tensor once = x.slice(0, first.get(0), first.get(1), step);
        long[] expected =
                IntStream.range(start, Math.max(start, end))
                        .filter(i -> (i - start) % step == 0)
                        .asLongStream()
                        .toArray();
        assertArrayEquals(expected, once.toLongArray());
        Tensor twice = once.slice(0, second.get(0), second.get(1), stride);
        int from = start + second.get(0) * step;
        int to = Math.min(end, start + second.get(1) * step);
        assertArrayEquals(x.slice(0, from, to, step * stride).toLongArray(), twice.toLongArray());
    }

    @Property
    void scatterAddAndIndexAddAreTheAdjointsOfGatherAndIndexSelect(
            @ForAll("shapes") List<Integer> shape,
            @ForAll @IntRange(max = 3) int choice,
            @ForAll @IntRange(min = 1, max = 6) int length,
            @ForAll long seed) {
        Tensor x = random(seed, ints(shape));
        int dim = choice % x.dim();
        int[] picked = ints(shape);
        picked[dim] = length;
        var generator = new SplittableRandom(seed);
        Tensor y = random(seed + 1, picked);
        Tensor each = Tensor.randint(generator, 0, x.size(dim), picked);
        assertAdjoint(x, y, x.gather(dim, each), Tensor.zerosLike(x).scatterAdd(dim, each, y));
        Tensor rows = Tensor.randint(generator, 0, x.size(dim), length);
        assertAdjoint(x, y, x.indexSelect(dim, rows), Tensor.zerosLike(x).indexAdd(dim, rows, y));
        int[] like = new int[x.dim()];
        Arrays.fill(like, 1);
        like[dim] = length;
        Tensor repeated = rows.view(like).expand(picked);
        assertTrue(x.indexSelect(dim, rows).equal(x.gather(dim, repeated)));
    }

    /** {@code <A x, y> = <x, B y>}. */
    private static void assertAdjoint(Tensor x, Tensor y, Tensor ax, Tensor by) {
        assertEquals(ax.mul(y).sum().item(), x.mul(by).sum().item(), 1e-9);
    }

    @Property
    void trianglesAndRepeatsAddUp(
            @ForAll @IntRange(min = 1, max = 5) int rows,
            @ForAll @IntRange(min = 1, max = 5) int columns,
            @ForAll @IntRange(min = -6, max = 6) int diagonal,
            @ForAll long seed) {
        Tensor x = random(seed, 2, rows, columns);
        assertTrue(x.tril(diagonal).add(x.triu(diagonal + 1)).equal(x));
        Tensor line = x.tril(diagonal).triu(diagonal);
        assertEquals(x.diagonal(diagonal, 1, 2).sum().item(), line.sum().item(), 1e-9);
        Tensor leaf = x.detach().requiresGrad(true);
        Tensor tiled = leaf.repeat(3, 1, 2);
        assertTrue(
                tiled.detach()
                        .at(Index.startingAt(2), Index.all(), Index.startingAt(-columns))
                        .equal(x.repeat(2, 1, 1)));
        tiled.sum().backward();
        Tensor gradient = leaf.grad();
        assertNotNull(gradient);
        assertTrue(gradient.equal(Tensor.fullLike(x, 6)));
    }
}
