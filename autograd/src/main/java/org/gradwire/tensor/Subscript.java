package org.gradwire.tensor;

/** Applies what stands between the brackets, from the first dimension on. */
final class Subscript {
    private final int[] dims;
    private final int unmentioned;
    private Tensor result;
    private int from; // the dimension of the tensor that comes next
    private int to; // the dimension of the result that comes next

    private Subscript(Tensor tensor, int unmentioned) {
        this.dims = tensor.dims;
        this.unmentioned = unmentioned;
        this.result = tensor;
    }

    static Tensor apply(Tensor tensor, Index... indices) {
        var subscript = new Subscript(tensor, tensor.dims.length - mentioned(tensor, indices));
        for (Index index : indices) {
            subscript.apply(index);
        }
        return subscript.result == tensor ? Ops.view(tensor, tensor.dims) : subscript.result;
    }

    /** {@return how many dimensions are mentioned, when that can be} */
    private static int mentioned(Tensor tensor, Index... indices) {
        int mentioned = 0;
        int ellipses = 0;
        int tensors = 0;
        for (Index index : indices) {
            switch (index) {
                case Index.Ellipsis _ -> ellipses++;
                case Index.NewAxis _ -> {}
                case Index.Of _ -> {
                    tensors++;
                    mentioned++;
                }
                case Index.Range _, Index.At _ -> mentioned++;
            }
        }
        if (mentioned > tensor.dims.length) {
            throw new IndexOutOfBoundsException(
                    "too many indices for tensor of dimension %d: %d"
                            .formatted(tensor.dims.length, mentioned));
        }
        if (ellipses > 1 || tensors > 1) {
            throw new IllegalArgumentException(
                    "an index can have one ellipsis and one tensor at most, got %d and %d; pick by several tensors one after the other"
                            .formatted(ellipses, tensors));
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

    private void pick(Tensor indices) {
        if (indices.dims.length == 0 && indices.dtype() == DType.INT64) {
            select(indices.itemAsLong());
            return;
        }
        Tensor numbers = Indexing.wrapped(indices, from, dims[from]);
        result = Ops.indexSelect(result, to, numbers);
        if (indices.dims.length != 1) {
            result = Ops.unflatten(result, to, indices.dims);
        }
        from++;
        to += indices.dims.length;
    }
}
