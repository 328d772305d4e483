package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Advanced indexing rules, made of other operators. */
public final class IndexPutRules {

    private IndexPutRules() {}

    /** The numbers of the rows that indices name, when the indexed dimensions are one. */
    private record Rows(int[] shape, int dims, Tensor numbers) {}

    private static Rows rows(Tensor self, List<Tensor> indices) {
        List<Tensor> all = AdvancedIndices.numbers(self, indices);
        int[] shape = new int[0];
        try {
            for (Tensor index : all) {
                shape = Shapes.broadcast(shape, TensorAccess.dims(index));
            }
        } catch (IllegalArgumentException _) {
            throw new IndexOutOfBoundsException(
                    "shape mismatch: indexing tensors could not be broadcast together with shapes "
                            + all.stream()
                                    .map(index -> Arrays.toString(TensorAccess.dims(index)))
                                    .collect(Collectors.joining(", ")));
        }
        Tensor numbers = Tensor.zeros(DType.INT64, shape);
        for (int d = 0; d < all.size(); d++) {
            Tensor index = all.get(d);
            Tensor wrapped =
                    GatherScatterRules.wrapped(index, d, TensorAccess.dims(self)[d])
                            .reshape(TensorAccess.dims(index));
            numbers = numbers.mul(TensorAccess.dims(self)[d]).add(wrapped);
        }
        return new Rows(shape, all.size(), numbers.reshape(numbers.numel()));
    }

    private static int[] resultShape(Tensor self, Rows rows) {
        return IntStream.concat(
                        Arrays.stream(rows.shape),
                        Arrays.stream(TensorAccess.dims(self)).skip(rows.dims))
                .toArray();
    }

    /** View or copy with the indexed dimensions as one. */
    private static Tensor merged(Tensor self, Rows rows) {
        int[] rest =
                Arrays.copyOfRange(
                        TensorAccess.dims(self), rows.dims, TensorAccess.dims(self).length);
        int[] shape = new int[rest.length + 1];
        shape[0] = Shapes.count(Arrays.copyOf(TensorAccess.dims(self), rows.dims));
        System.arraycopy(rest, 0, shape, 1, rest.length);
        return self.reshape(shape);
    }

    public static Tensor picked(Tensor self, List<Tensor> indices) {
        Rows rows = rows(self, indices);
        return merged(self, rows).indexSelect(0, rows.numbers).reshape(resultShape(self, rows));
    }

    public static Tensor put(Tensor self, List<Tensor> indices, Tensor values, boolean accumulate) {
        if (self.dtype() != values.dtype()) {
            throw new IllegalArgumentException(
                    "Index put requires the source and destination dtypes match, got %s for the destination and %s for the source."
                            .formatted(self.dtype(), values.dtype()));
        }
        Rows rows = rows(self, indices);
        int[] shape = resultShape(self, rows);
        if (!fits(TensorAccess.dims(values), shape)) {
            throw new IllegalArgumentException(
                    "shape mismatch: value tensor of shape %s cannot be broadcast to indexing result of shape %s"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(values)),
                                    Arrays.toString(shape)));
        }
        Tensor target = merged(self, rows);
        int[] slices = TensorAccess.dims(target).clone();
        slices[0] = rows.numbers.numel();
        Tensor from = values.expand(shape).reshape(slices);
        Tensor result =
                accumulate
                        ? target.indexAdd(0, rows.numbers, from)
                        : target.scatter(0, spread(rows.numbers, 0, slices), from);
        return result.reshape(TensorAccess.dims(self));
    }

    private static boolean fits(int[] values, int[] shape) {
        try {
            return Arrays.equals(Shapes.broadcast(values, shape), shape);
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /** Return a vector of numbers along one dimension, repeated along the others. */
    private static Tensor spread(Tensor numbers, int dim, int[] shape) {
        int[] alone = new int[shape.length];
        Arrays.fill(alone, 1);
        alone[dim] = numbers.numel();
        return numbers.reshape(alone).expand(shape);
    }

    public static Tensor fill(Tensor self, int dim, Tensor index, Number value) {
        int d = Shapes.dimension(dim, TensorAccess.dims(self).length);
        if (TensorAccess.dims(self).length == 0) {
            return fill(self.unsqueeze(0), 0, index, value).squeeze(0);
        }
        Tensor numbers = GatherScatterRules.wrapped(index, d, TensorAccess.dims(self)[d]);
        int[] shape = TensorAccess.dims(self).clone();
        shape[d] = numbers.numel();
        return self.scatter(d, spread(numbers, d, shape), value);
    }

    public static Tensor copied(Tensor self, int dim, Tensor index, Tensor source) {
        int d = Shapes.dimension(dim, TensorAccess.dims(self).length);
        if (TensorAccess.dims(self).length == 0
                || TensorAccess.dims(source).length != TensorAccess.dims(self).length) {
            throw new IllegalArgumentException(
                    "index_copy(): When source and destination are not scalars, their dimensionality must match. Source dimensionality (%d), destination dimensionality (%d)"
                            .formatted(
                                    TensorAccess.dims(source).length,
                                    TensorAccess.dims(self).length));
        }
        int[] to =
                IntStream.range(0, TensorAccess.dims(self).length)
                        .filter(i -> i != d)
                        .map(i -> TensorAccess.dims(self)[i])
                        .toArray();
        int[] from =
                IntStream.range(0, TensorAccess.dims(self).length)
                        .filter(i -> i != d)
                        .map(i -> TensorAccess.dims(source)[i])
                        .toArray();
        if (!Arrays.equals(to, from)) {
            throw new IllegalArgumentException(
                    "index_copy(): Source/destination tensor must have same slice shapes. Destination slice shape: %s at dimension %d and source slice shape: %s at dimension %d."
                            .formatted(Arrays.toString(to), d, Arrays.toString(from), d));
        }
        Tensor numbers = GatherScatterRules.wrapped(index, d, TensorAccess.dims(self)[d]);
        if (numbers.numel() != TensorAccess.dims(source)[d]) {
            throw new IllegalArgumentException(
                    "index_copy(): Number of indices (%d) should be equal to source.size(dim) (%d)"
                            .formatted(numbers.numel(), TensorAccess.dims(source)[d]));
        }
        return self.scatter(d, spread(numbers, d, TensorAccess.dims(source)), source);
    }

    public static Tensor scattered(Tensor self, Tensor mask, Tensor source) {
        if (mask.dtype() != DType.BOOL) {
            throw new IllegalArgumentException(
                    "masked_scatter: the mask must be of bool, but is of " + mask.dtype());
        }
        if (self.dtype() != source.dtype()) {
            throw new IllegalArgumentException(
                    "masked_scatter: expected self and source to have same dtypes but got %s and %s"
                            .formatted(self.dtype(), source.dtype()));
        }
        int[] shape = Shapes.broadcast(TensorAccess.dims(self), TensorAccess.dims(mask));
        Tensor places = mask.expand(shape).reshape(Shapes.count(shape)).nonzero().reshape(-1);
        if (places.numel() > source.numel()) {
            throw new IllegalArgumentException(
                    "the mask of %d elements needs more elements than the source has: %d"
                            .formatted(places.numel(), source.numel()));
        }
        Tensor from = source.reshape(source.numel()).narrow(0, 0, places.numel());
        Tensor flat = self.expand(shape).reshape(Shapes.count(shape));
        return flat.scatter(0, places, from).reshape(shape);
    }

    public static int at(Tensor self, int dim, int index) {
        int d = Shapes.dimension(dim, TensorAccess.dims(self).length);
        int size = TensorAccess.dims(self).length == 0 ? 0 : TensorAccess.dims(self)[d];
        if (index < -size || index >= size) {
            throw new IndexOutOfBoundsException(
                    "index %d is out of bounds for dimension %d with size %d"
                            .formatted(index, d, size));
        }
        return index < 0 ? index + size : index;
    }

    public static Tensor slice(Tensor self, Tensor part, int dim, int start, int length) {
        int d = Shapes.dimension(dim, TensorAccess.dims(self).length);
        int[] shape = TensorAccess.dims(self).clone();
        shape[d] = length;
        if (!Arrays.equals(TensorAccess.dims(part), shape) || part.dtype() != self.dtype()) {
            throw new IllegalArgumentException(
                    "expected src to have a size equal to the slice of self: %s%s, got %s"
                            .formatted(
                                    self.dtype(),
                                    Arrays.toString(shape),
                                    TensorAccess.describe(part)));
        }
        int end = start + length;
        return Ops.cat(
                List.of(
                        self.narrow(d, 0, start),
                        part,
                        self.narrow(d, end, TensorAccess.dims(self)[d] - end)),
                d);
    }

    public static Tensor taken(Tensor self, Tensor indices, int dim) {
        if (indices.dtype() != DType.INT64) {
            throw new IllegalArgumentException(
                    "take_along_dim: indices must be of int64, but are of " + indices.dtype());
        }
        if (TensorAccess.dims(self).length != TensorAccess.dims(indices).length) {
            throw new IllegalArgumentException(
                    "take_along_dim: input and indices should have the same number of dimensions, but got %d dimensions for input, and %d dimensions for indices"
                            .formatted(
                                    TensorAccess.dims(self).length,
                                    TensorAccess.dims(indices).length));
        }
        int d = Shapes.dimension(dim, TensorAccess.dims(self).length);
        if (TensorAccess.dims(self).length == 0) {
            return self.gather(0, indices);
        }
        int[] from = TensorAccess.dims(self).clone();
        int[] at = TensorAccess.dims(indices).clone();
        from[d] = 1;
        at[d] = 1;
        int[] both = Shapes.broadcast(from, at);
        from = both.clone();
        from[d] = TensorAccess.dims(self)[d];
        at = both.clone();
        at[d] = TensorAccess.dims(indices)[d];
        return self.expand(from).gather(d, Elementwise.contiguous(indices.expand(at)));
    }

    public static Tensor interleaved(Tensor self, int repeats, @Nullable Integer dim) {
        if (repeats < 0) {
            throw new IllegalArgumentException("repeats can not be negative: " + repeats);
        }
        Tensor x =
                dim == null || TensorAccess.dims(self).length == 0
                        ? self.reshape(self.numel())
                        : self;
        int d = dim == null ? 0 : Shapes.dimension(dim, TensorAccess.dims(x).length);
        int[] shape = TensorAccess.dims(x).clone();
        shape[d] *= repeats;
        int[] expanded =
                IntStream.concat(
                                IntStream.concat(
                                        Arrays.stream(TensorAccess.dims(x)).limit(d + 1L),
                                        IntStream.of(repeats)),
                                Arrays.stream(TensorAccess.dims(x)).skip(d + 1L))
                        .toArray();
        return x.unsqueeze(d + 1).expand(expanded).copy().reshape(shape); // never a view
    }
}
