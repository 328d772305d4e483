package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Strided;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Numbers of one type in a grid of any number of dimensions.
 *
 * <p>A tensor is a view of a {@link Storage}: a shape, strides and an offset. {@code view}, {@code
 * transpose}, {@code narrow}, {@code select}, {@code expand} and {@code detach} give other views of
 * the same memory. Tensors are compared by identity; see {@link #equal} and {@link #allclose} for
 * values.
 *
 * <p>The result of an operator on a tensor that {@linkplain #requiresGrad() requires a gradient}
 * knows how it was made ({@link #gradFn}); {@link #backward()} computes the gradients of all leaves
 * it was made from and adds them to their {@link #grad}.
 *
 * {@snippet :
 * Tensor w = Tensor.of(new float[][] {{1, 2}, {3, 4}}).requiresGrad(true);
 * w.mul(w).sum().backward();
 * System.out.println(w.grad()); // tensor([[2., 4.],
 *                               //         [6., 8.]])
 * }
 *
 * <p><b>Threads.</b> A tensor that is being changed must not be used by another thread; otherwise
 * tensors may be shared.
 */
public final class Tensor
        implements ElementwiseOperators,
                ComparisonOperators,
                ReductionOperators,
                MatrixOperators,
                ShapeOperators,
                IndexOperators,
                NeuralOperators,
                InPlaceOperators {
    final int[] dims;
    final int[] strides;
    final int offset;

    private final Storage storage;
    private final int count;
    private final boolean contiguous;

    private boolean requiresGrad;
    private @Nullable Tensor grad;
    private @Nullable Node gradFn;
    private int outputIndex;
    private @Nullable AccumulateGrad accumulator;

    private Tensor(
            Storage storage, int offset, int[] dims, int[] strides, int count, boolean contiguous) {
        this.storage = storage;
        this.offset = offset;
        this.dims = dims;
        this.strides = strides;
        this.count = count;
        this.contiguous = contiguous;
    }

    // ---- Making tensors. Unless a type is given, they are float32.

    /** Return a tensor of zeros. */
    public static Tensor zeros(int... shape) {
        return zeros(DType.FLOAT32, shape);
    }

    /** Return a tensor of zeros. */
    public static Tensor zeros(DType dtype, int... shape) {
        int[] dims = shape.clone();
        return over(Storage.allocate(dtype, Shapes.count(dims), true), dims);
    }

    /** Return a tensor of ones. */
    public static Tensor ones(int... shape) {
        return ones(DType.FLOAT32, shape);
    }

    /** Return a tensor of ones. */
    public static Tensor ones(DType dtype, int... shape) {
        return full(dtype, 1, shape);
    }

    /** Return a tensor of one value: int64 for a whole number, else float32. */
    public static Tensor full(Number value, int... shape) {
        return full(DType.of(value), value, shape);
    }

    /**
     * Return a tensor of one value.
     *
     * @param value for bool, what is not zero is true; for whole numbers, a fraction is cut off
     * @throws IllegalArgumentException when a type of whole numbers does not hold it
     */
    public static Tensor full(DType dtype, Number value, int... shape) {
        Promotion.checkFits(dtype, value);
        Tensor result = fresh(dtype, shape.clone());
        Loops.fill(dtype.elements(), value, result.strided());
        return result;
    }

    /** Return a tensor without dimensions: int64 for a whole number, else float32. */
    public static Tensor scalar(Number value) {
        return full(value);
    }

    /** Return a bool tensor without dimensions. */
    public static Tensor scalar(boolean value) {
        return full(DType.BOOL, value ? 1 : 0);
    }

    /** Return a tensor without dimensions. */
    public static Tensor scalar(DType dtype, Number value) {
        return full(dtype, value);
    }

    /** Return the int64 numbers from 0 up to an end that is not included. */
    public static Tensor arange(long end) {
        return arange(0, end, 1);
    }

    /** Return the int64 numbers from a start up to an end that is not included. */
    public static Tensor arange(long start, long end, long step) {
        return Factories.arange(start, end, step);
    }

    /** Return a vector of float32; the numbers are copied. */
    public static Tensor of(float... numbers) {
        return of(numbers.clone(), new int[] {numbers.length}, DType.FLOAT32);
    }

    /** Return a vector of float64; the numbers are copied. */
    public static Tensor of(double... numbers) {
        return of(numbers.clone(), new int[] {numbers.length}, DType.FLOAT64);
    }

    /** Return a vector of int64; the numbers are copied. */
    public static Tensor of(long... numbers) {
        return of(numbers.clone(), new int[] {numbers.length}, DType.INT64);
    }

    /**
     * Return a vector of int32; the numbers are copied. Numbers that are not in an array, {@code
     * Tensor.of(1, 2)}, make a tensor of int64, as in PyTorch.
     */
    public static Tensor of(int[] numbers) {
        return of(numbers.clone(), new int[] {numbers.length}, DType.INT32);
    }

    /** Return a vector of bool; the values are copied. */
    public static Tensor of(boolean... values) {
        return of(values, values.length);
    }

    /** Return a matrix of float32; the numbers are copied. */
    public static Tensor of(float[][] rows) {
        return Factories.nested(DType.FLOAT32, rows);
    }

    /** Return a matrix of float64; the numbers are copied. */
    public static Tensor of(double[][] rows) {
        return Factories.nested(DType.FLOAT64, rows);
    }

    /** Return a matrix of int64; the numbers are copied. */
    public static Tensor of(long[][] rows) {
        return Factories.nested(DType.INT64, rows);
    }

    /** Return a matrix of int32; the numbers are copied. */
    public static Tensor of(int[][] rows) {
        return Factories.nested(DType.INT32, rows);
    }

    /** Return a matrix of bool; the values are copied. */
    public static Tensor of(boolean[][] rows) {
        return Factories.nested(DType.BOOL, rows);
    }

    /** Return a tensor of three dimensions of float32; the numbers are copied. */
    public static Tensor of(float[][][] blocks) {
        return Factories.nested(DType.FLOAT32, blocks);
    }

    /** Return a tensor of three dimensions of float64; the numbers are copied. */
    public static Tensor of(double[][][] blocks) {
        return Factories.nested(DType.FLOAT64, blocks);
    }

    /** Return a tensor of float32 with these numbers in row-major order; they are copied. */
    public static Tensor of(float[] numbers, int... shape) {
        return of(numbers.clone(), shape.clone(), DType.FLOAT32);
    }

    /** Return a tensor of float64 with these numbers in row-major order; they are copied. */
    public static Tensor of(double[] numbers, int... shape) {
        return of(numbers.clone(), shape.clone(), DType.FLOAT64);
    }

    /** Return a tensor of int64 with these numbers in row-major order; they are copied. */
    public static Tensor of(long[] numbers, int... shape) {
        return of(numbers.clone(), shape.clone(), DType.INT64);
    }

    /** Return a tensor of int32 with these numbers in row-major order; they are copied. */
    public static Tensor of(int[] numbers, int... shape) {
        return of(numbers.clone(), shape.clone(), DType.INT32);
    }

    /** Return a tensor of bool with these values in row-major order; they are copied. */
    public static Tensor of(boolean[] values, int... shape) {
        return of(Factories.bytes(values), shape.clone(), DType.BOOL);
    }

    private static Tensor of(Object array, int[] shape, DType dtype) {
        int length = java.lang.reflect.Array.getLength(array);
        if (Shapes.count(shape) != length) {
            throw new IllegalArgumentException(
                    "shape '%s' is invalid for input of size %d"
                            .formatted(Arrays.toString(shape), length));
        }
        return over(new HeapStorage(dtype, array, length, null), shape);
    }

    /** Return float32 numbers spread evenly over 0 to 1, drawn from a generator. */
    public static Tensor rand(RandomGenerator generator, int... shape) {
        return Factories.random(shape, generator::nextFloat);
    }

    /** Return normally distributed float32 numbers, drawn from a generator. */
    public static Tensor randn(RandomGenerator generator, int... shape) {
        return Factories.random(shape, () -> (float) generator.nextGaussian());
    }

    /** Return zeros of the shape and type of another tensor. */
    public static Tensor zerosLike(Tensor other) {
        return zeros(other.dtype(), other.dims);
    }

    /** Return ones of the shape and type of another tensor. */
    public static Tensor onesLike(Tensor other) {
        return ones(other.dtype(), other.dims);
    }

    /**
     * Return a view of a storage.
     *
     * @param storage shared with the tensor
     * @param offset index of the first element
     * @param strides elements from one index of a dimension to the next
     * @throws IllegalArgumentException when it would reach beyond the storage
     */
    public static Tensor view(Storage storage, int offset, int[] shape, int[] strides) {
        int count = Shapes.count(shape);
        if (shape.length != strides.length || offset < 0) {
            throw new IllegalArgumentException(
                    "a view needs as many strides as dimensions and an offset from 0 on; got shape %s, strides %s, offset %d"
                            .formatted(Arrays.toString(shape), Arrays.toString(strides), offset));
        }
        long last = offset;
        for (int d = 0; d < shape.length; d++) {
            if (strides[d] < 0) {
                throw new IllegalArgumentException(
                        "negative strides are not supported: " + Arrays.toString(strides));
            }
            last += (long) Math.max(shape[d] - 1, 0) * strides[d];
        }
        if (count > 0 && last >= storage.length()) {
            throw new IllegalArgumentException(
                    "shape %s, strides %s and offset %d need %d elements, the storage has %d"
                            .formatted(
                                    Arrays.toString(shape),
                                    Arrays.toString(strides),
                                    offset,
                                    last + 1,
                                    storage.length()));
        }
        int[] dims = shape.clone();
        return new Tensor(
                storage, offset, dims, strides.clone(), count, Shapes.contiguous(dims, strides));
    }

    /** Return a tensor whose contents may be anything. The shape is not copied. */
    static Tensor fresh(DType dtype, int[] shape) {
        return over(Storage.allocate(dtype, Shapes.count(shape), false), shape);
    }

    private static Tensor over(Storage storage, int[] shape) {
        return new Tensor(storage, 0, shape, Shapes.strides(shape), storage.length(), true);
    }

    // ---- What it is.

    /** {@return the type of the elements} */
    public DType dtype() {
        return storage.dtype();
    }

    /** {@return a copy of the extents of the dimensions} */
    public int[] shape() {
        return dims.clone();
    }

    /** {@return the extent of a dimension; negative ones count from the end} */
    public int size(int dim) {
        return dims[Shapes.dimension(dim, dims.length)];
    }

    /** {@return the number of dimensions} */
    public int dim() {
        return dims.length;
    }

    /** {@return the number of elements} */
    public int numel() {
        return count;
    }

    /** {@return a copy of the distances, in elements, from one index of a dimension to the next} */
    public int[] strides() {
        return strides.clone();
    }

    /** {@return the index in the storage of the first element} */
    public int storageOffset() {
        return offset;
    }

    /** {@return the memory, shared with all views of it} */
    public Storage storage() {
        return storage;
    }

    /** {@return whether the elements lie one after the other in row-major order} */
    public boolean isContiguous() {
        return contiguous;
    }

    /** {@return the type and shape, for messages} */
    String describe() {
        return dtype() + Arrays.toString(dims);
    }

    // ---- Values.

    /**
     * {@return the one element}
     *
     * @throws IllegalStateException when there is not exactly one
     */
    public double item() {
        return element(onlyIndex());
    }

    /**
     * {@return the one element as a whole number}
     *
     * @throws IllegalStateException when there is not exactly one
     */
    public long itemAsLong() {
        return longElement(onlyIndex());
    }

    /**
     * {@return whether the one element is not zero}
     *
     * @throws IllegalStateException when there is not exactly one
     */
    public boolean itemAsBoolean() {
        return element(onlyIndex()) != 0;
    }

    private int onlyIndex() {
        if (count != 1) {
            throw new IllegalStateException(
                    "a Tensor with %d elements cannot be converted to Scalar".formatted(count));
        }
        return offset;
    }

    /** {@return the element at an index; there must be one number for each dimension} */
    public double get(int... index) {
        return element(position(index));
    }

    /** {@return the element at an index as a whole number} */
    public long getLong(int... index) {
        return longElement(position(index));
    }

    /** {@return whether the element at an index is not zero} */
    public boolean getBoolean(int... index) {
        return element(position(index)) != 0;
    }

    private <A> double element(int position) {
        Elements<A> elements = dtype().elements();
        var one = Strided.contiguous(storage.base(), position, 1);
        return elements.getDouble(Loops.toArray(elements, one), 0);
    }

    private <A> long longElement(int position) {
        Elements<A> elements = dtype().elements();
        var one = Strided.contiguous(storage.base(), position, 1);
        return elements.getLong(Loops.toArray(elements, one), 0);
    }

    private int position(int[] index) {
        if (index.length != dims.length) {
            throw new IndexOutOfBoundsException(
                    "index %s has %d numbers, the tensor %d dimensions"
                            .formatted(Arrays.toString(index), index.length, dims.length));
        }
        int position = offset;
        for (int d = 0; d < dims.length; d++) {
            if (index[d] < 0 || index[d] >= dims[d]) {
                throw new IndexOutOfBoundsException(
                        "index %s is not inside of %s"
                                .formatted(Arrays.toString(index), Arrays.toString(dims)));
            }
            position += index[d] * strides[d];
        }
        return position;
    }

    /** {@return a copy of the elements in row-major order, converted} */
    public float[] toFloatArray() {
        return Loops.toArray(
                DType.FLOAT32.elements(), Elementwise.cast(this, DType.FLOAT32).strided());
    }

    /** {@return a copy of the elements in row-major order, converted} */
    public double[] toDoubleArray() {
        return Loops.toArray(
                DType.FLOAT64.elements(), Elementwise.cast(this, DType.FLOAT64).strided());
    }

    /** {@return a copy of the elements in row-major order, converted; fractions are cut off} */
    public long[] toLongArray() {
        return Loops.toArray(DType.INT64.elements(), Elementwise.cast(this, DType.INT64).strided());
    }

    /** {@return a copy of the elements in row-major order, converted; fractions are cut off} */
    public int[] toIntArray() {
        return Loops.toArray(DType.INT32.elements(), Elementwise.cast(this, DType.INT32).strided());
    }

    /** {@return for each element, in row-major order, whether it is not zero} */
    public boolean[] toBooleanArray() {
        byte[] bytes =
                Loops.toArray(DType.BOOL.elements(), Elementwise.cast(this, DType.BOOL).strided());
        return Factories.booleans(bytes);
    }

    /** {@return whether another tensor has the same shape, type and elements} */
    public boolean equal(Tensor other) {
        if (dtype() != other.dtype() || !Arrays.equals(dims, other.dims)) {
            return false;
        }
        return dtype().isFloating()
                ? Factories.close(this, other, 0, 0)
                : Arrays.equals(toLongArray(), other.toLongArray());
    }

    /** {@return whether another tensor has nearly the same elements: PyTorch's tolerances} */
    public boolean allclose(Tensor other) {
        return allclose(other, 1e-5, 1e-8);
    }

    /**
     * {@return whether another tensor has the same shape and each element {@code |a - b| <=
     * absolute + relative * |b|}}
     */
    public boolean allclose(Tensor other, double relative, double absolute) {
        return Arrays.equals(dims, other.dims) && Factories.close(this, other, relative, absolute);
    }

    // ---- Gradients.

    /** {@return whether gradients flow to or through this tensor} */
    public boolean requiresGrad() {
        return requiresGrad || gradFn != null;
    }

    /**
     * Say whether this leaf gets a gradient.
     *
     * @return this
     * @throws IllegalStateException when it is the result of an operator, or cannot have one
     */
    public Tensor requiresGrad(boolean wanted) {
        if (gradFn != null && !wanted) {
            throw new IllegalStateException(
                    "you can only change requires_grad flags of leaf variables; use detach()");
        }
        if (wanted && !dtype().isFloating()) {
            throw new IllegalStateException(
                    "only Tensors of floating point dtype can require gradients; this one is "
                            + dtype());
        }
        requiresGrad = wanted;
        return this;
    }

    /** {@return whether it was made by its user, not by an operator that was recorded} */
    public boolean isLeaf() {
        return gradFn == null;
    }

    /**
     * {@return the node that computes the gradients of what this was made from; null for a leaf}
     */
    public @Nullable Node gradFn() {
        return gradFn;
    }

    /** {@return which of the results of {@link #gradFn}'s operator this is} */
    public int outputIndex() {
        return outputIndex;
    }

    /** {@return the gradient accumulated so far; null before the first backward pass} */
    public @Nullable Tensor grad() {
        return grad;
    }

    /**
     * Replace the gradient.
     *
     * @param gradient of this tensor's shape and type, or null to forget it
     * @return this
     */
    public Tensor grad(@Nullable Tensor gradient) {
        if (gradient != null) {
            if (!Arrays.equals(dims, gradient.dims) || dtype() != gradient.dtype()) {
                throw new IllegalArgumentException(
                        "assigned grad has data of a different size or type: %s for a tensor of %s"
                                .formatted(gradient.describe(), describe()));
            }
            gradient.storage.beginGradient();
        }
        if (grad != null) {
            grad.storage.endGradient();
        }
        grad = gradient;
        return this;
    }

    void setHistory(Node node, int index) {
        gradFn = node;
        outputIndex = index;
    }

    synchronized AccumulateGrad accumulator(Function<Tensor, AccumulateGrad> maker) {
        AccumulateGrad known = accumulator;
        if (known == null) {
            known = maker.apply(this);
            accumulator = known;
        }
        return known;
    }

    /**
     * Have a hook see, and possibly replace, the gradient of this tensor whenever it is computed.
     *
     * @throws IllegalStateException when the tensor requires no gradient
     */
    public HookHandle registerHook(Node.TensorHook hook) {
        if (!requiresGrad()) {
            throw new IllegalStateException(
                    "cannot register a hook on a tensor that doesn't require gradient");
        }
        Edge edge = Edge.of(this);
        return edge.node().addTensorHook(edge.inputIndex(), hook);
    }

    /**
     * Compute the gradients of all leaves this scalar was made from; see {@link #backward(Tensor)}.
     */
    public void backward() {
        Gradients.backward(this, null, false);
    }

    /** As {@link #backward()}; what the graph keeps stays, so that it can be done again. */
    public void backward(boolean retainGraph) {
        Gradients.backward(this, null, retainGraph);
    }

    /**
     * Compute the gradients of all leaves this tensor was made from, and add them to their {@link
     * #grad}. What the graph keeps is freed.
     *
     * @param gradient of this tensor, and of its shape
     * @throws IllegalStateException when the tensor requires no gradient, or what the graph kept
     *     was freed by an earlier pass or changed in place
     */
    public void backward(Tensor gradient) {
        Gradients.backward(this, gradient, false);
    }

    /** As {@link #backward(Tensor)}; what the graph keeps may stay. */
    public void backward(Tensor gradient, boolean retainGraph) {
        Gradients.backward(this, gradient, retainGraph);
    }

    /** {@return a view of the same memory that gradients do not flow through} */
    public Tensor detach() {
        return alias(dims, strides);
    }

    /** {@return this, unless its change would have to be recorded} */
    Tensor changeable() {
        if (requiresGrad() && GradMode.enabled()) {
            throw new IllegalStateException(
                    isLeaf()
                            ? "a leaf Variable that requires grad is being used in an in-place operation; do it under GradMode.noGrad()"
                            : "in-place operations are not recorded; do it under GradMode.noGrad(), or use the operator that returns a new tensor");
        }
        return this;
    }

    // ---- Views and layouts for the operators; without history.

    /** {@return a view of the same memory with other dimensions} */
    Tensor alias(int[] newDims, int[] newStrides) {
        return alias(newDims, newStrides, offset);
    }

    Tensor alias(int[] newDims, int[] newStrides, int newOffset) {
        return new Tensor(
                storage,
                newOffset,
                newDims,
                newStrides,
                Shapes.count(newDims),
                Shapes.contiguous(newDims, newStrides));
    }

    /** {@return a view of a contiguous tensor with another shape of as many elements} */
    Tensor viewAs(int... shape) {
        return alias(shape, Shapes.strides(shape));
    }

    /** {@return a view with another shape, or a copy where that cannot be a view} */
    Tensor reshaped(int... shape) {
        int[] viewed = Shapes.viewStrides(dims, strides, shape);
        return viewed == null ? Elementwise.copy(this).viewAs(shape) : alias(shape, viewed);
    }

    /** {@return a view with its dimensions in another order} */
    Tensor permuted(int... order) {
        int[] newDims = new int[order.length];
        int[] newStrides = new int[order.length];
        for (int d = 0; d < order.length; d++) {
            newDims[d] = dims[order[d]];
            newStrides[d] = strides[order[d]];
        }
        return alias(newDims, newStrides);
    }

    /** {@return a view of a matrix as its transpose} */
    Tensor transposed() {
        return alias(new int[] {dims[1], dims[0]}, new int[] {strides[1], strides[0]});
    }

    Strided strided() {
        return new Strided(storage.base(), offset, dims, strides);
    }

    /** {@return the layout of this tensor broadcast to a shape} */
    Strided strided(int[] shape) {
        if (!Arrays.equals(Shapes.broadcast(dims, shape), shape)) {
            throw new IllegalArgumentException(
                    "output with shape %s doesn't match the broadcast shape %s"
                            .formatted(
                                    Arrays.toString(shape),
                                    Arrays.toString(Shapes.broadcast(dims, shape))));
        }
        return new Strided(storage.base(), offset, shape, Shapes.expandedStrides(this, shape));
    }

    /** {@return whether the elements lie one after the other in an array} */
    boolean isPlainArray() {
        return contiguous && storage instanceof HeapStorage;
    }

    /** {@return the array or the native memory} */
    Object base() {
        return storage.base();
    }

    /** {@return the numbers as PyTorch prints them} */
    @Override
    public String toString() {
        return Printer.print(this);
    }
}
