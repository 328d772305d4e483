package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Index;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Applies the indices of a subscript, from the first dimension on. */
public final class Subscript {
    private final int[] dims;
    private final int unmentioned;
    private Tensor result;
    private int from; // the dimension of the tensor that comes next
    private int to; // the dimension of the result that comes next
    private boolean together; // whether tensors pick at the end
    private final List<Tensor> picks = new ArrayList<>();
    private final List<Integer> picked = new ArrayList<>(); // dimensions of the result

    private Subscript(Tensor tensor, int unmentioned) {
        this.dims = TensorAccess.dims(tensor);
        this.unmentioned = unmentioned;
        this.result = tensor;
    }

    public static Tensor apply(Tensor tensor, Index... indices) {
        var subscript =
                new Subscript(
                        tensor, TensorAccess.dims(tensor).length - mentioned(tensor, indices));
        subscript.together = pickTogether(indices);
        for (Index index : indices) {
            subscript.apply(index);
        }
        subscript.pickAll();
        return subscript.result == tensor
                ? Ops.view(tensor, TensorAccess.dims(tensor))
                : subscript.result;
    }

    /** {@return whether there are several tensors, or a mask} */
    private static boolean pickTogether(Index... indices) {
        int tensors = 0;
        for (Index index : indices) {
            if (index instanceof Index.Of(Tensor numbers)) {
                tensors += numbers.dtype() == DType.BOOL ? 2 : 1;
            }
        }
        return tensors > 1;
    }

    /** Return a copy with a part replaced. */
    public static Tensor put(Tensor tensor, Tensor values, Index... indices) {
        Tensor places =
                apply(Tensor.arange(tensor.numel()).reshape(TensorAccess.dims(tensor)), indices)
                        .contiguous();
        int count = places.numel();
        return Ops.indexPut(
                        tensor.reshape(tensor.numel()),
                        List.of(places.view(count)),
                        expanded(values, TensorAccess.dims(places)).reshape(count),
                        /* accumulate= */ false)
                .reshape(TensorAccess.dims(tensor));
    }

    private static Tensor expanded(Tensor values, int[] shape) {
        Tensor fitting = values;
        while (TensorAccess.dims(fitting).length > shape.length
                && TensorAccess.dims(fitting)[0] == 1) {
            fitting = fitting.squeeze(0); // leading ones of the values do not count
        }
        try {
            return fitting.expand(shape);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IllegalArgumentException(
                    "shape mismatch: value tensor of shape %s cannot be broadcast to indexing result of shape %s"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(values)),
                                    Arrays.toString(shape)),
                    e);
        }
    }

    /** {@return the number of consumed dimensions, checked} */
    private static int mentioned(Tensor tensor, Index... indices) {
        int mentioned = 0;
        int ellipses = 0;
        for (Index index : indices) {
            switch (index) {
                case Index.Ellipsis _ -> ellipses++;
                case Index.NewAxis _ -> {}
                case Index.Of(Tensor numbers) -> mentioned += AdvancedIndices.dimensions(numbers);
                case Index.Range _, Index.At _ -> mentioned++;
            }
        }
        if (mentioned > TensorAccess.dims(tensor).length) {
            throw new IndexOutOfBoundsException(
                    "too many indices for tensor of dimension %d: %d"
                            .formatted(TensorAccess.dims(tensor).length, mentioned));
        }
        if (ellipses > 1) {
            throw new IllegalArgumentException(
                    "an index can have one ellipsis at most, got " + ellipses);
        }
        return mentioned;
    }

    private void apply(Index index) {
        switch (index) {
            case Index.Ellipsis _ -> {
                from += unmentioned;
                to += unmentioned;
            }
            case Index.NewAxis _ -> result = Ops.unsqueeze(result, to++);
            case Index.At(int at) -> select(at);
            case Index.Range range -> slice(range);
            case Index.Of(Tensor indices) when together -> later(indices);
            case Index.Of(Tensor indices) -> pick(indices);
        }
    }

    private void select(long at) {
        int size = dims[from];
        if (at < -size || at >= size) {
            throw new IndexOutOfBoundsException(
                    "index %d is out of bounds for dimension %d with size %d"
                            .formatted(at, from, size));
        }
        result = Ops.select(result, to, (int) at);
        from++;
    }

    private void slice(Index.Range range) {
        boolean whole = range.start() == 0 && range.end() >= dims[from] && range.step() == 1;
        if (!whole) {
            result = Ops.slice(result, to, range.start(), range.end(), range.step());
        }
        from++;
        to++;
    }

    /** Leave the dimensions of an index for when all are known. */
    private void later(Tensor indices) {
        picks.add(indices);
        for (int i = 0; i < AdvancedIndices.dimensions(indices); i++) {
            picked.add(to++);
            from++;
        }
    }

    private void pickAll() {
        if (picks.isEmpty()) {
            return;
        }
        int rank = TensorAccess.dims(result).length;
        List<Integer> order = new ArrayList<>(picked);
        IntStream.range(0, rank).filter(d -> !picked.contains(d)).forEach(order::add);
        Tensor first = result.permute(order.stream().mapToInt(Integer::intValue).toArray());
        Tensor chosen = Ops.index(first, picks);
        int made = TensorAccess.dims(chosen).length - (rank - picked.size());
        int start = picked.isEmpty() ? 0 : picked.getFirst();
        boolean adjacent = !picked.isEmpty() && picked.getLast() - start + 1 == picked.size();
        result = adjacent && start > 0 ? behind(chosen, made, start) : chosen;
    }

    /** Move the first dimensions behind some of the others. */
    private static Tensor behind(Tensor x, int count, int others) {
        IntStream before = IntStream.range(count, count + others);
        IntStream after = IntStream.range(count + others, TensorAccess.dims(x).length);
        IntStream moved = IntStream.concat(before, IntStream.range(0, count));
        return x.permute(IntStream.concat(moved, after).toArray());
    }

    private void pick(Tensor indices) {
        if (TensorAccess.dims(indices).length == 0 && indices.dtype() == DType.INT64) {
            select(indices.itemAsLong());
            return;
        }
        Tensor numbers = GatherScatterRules.wrapped(indices, from, dims[from]);
        result = Ops.indexSelect(result, to, numbers);
        if (TensorAccess.dims(indices).length != 1) {
            result = Ops.unflatten(result, to, TensorAccess.dims(indices));
        }
        from++;
        to += TensorAccess.dims(indices).length;
    }
}
