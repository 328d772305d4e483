package org.gradwire.tensor;

import org.gradwire.autograd.AccumulateGrad;
import org.gradwire.autograd.Edge;
import org.gradwire.autograd.HookHandle;
import org.gradwire.autograd.Node;
import org.gradwire.tensor.access.AutogradAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.operator.ViewMeta;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.Factories;
import org.gradwire.tensor.sparse.SparseTensors;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.DevicePlacement;
import org.gradwire.tensor.storage.HeapStorage;
import org.gradwire.tensor.storage.Replacement;
import org.gradwire.tensor.storage.Shapes;
import org.gradwire.tensor.storage.SparseStorage;
import org.gradwire.tensor.storage.Storage;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.function.Function;

/**
 * A multi-dimensional array of elements of one type.
 *
 * <p>A tensor is a view of a {@link Storage}: a shape, strides and an offset. {@code view}, {@code
 * transpose}, {@code narrow}, {@code select}, {@code expand} and {@code detach} give other views of
 * the same memory. Tensors are compared by identity; see {@link #equal} and {@link #allclose} for
 * values. A {@linkplain #sparseCoo sparse} tensor holds only some elements, with their indices; see
 * {@link SparseOperators}.
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
public final class Tensor extends TensorFactories
        implements TensorMethods,
                ComposedOperators,
                SparseOperators,
                InPlaceOperators,
                IndexedInPlaceOperators {
    static {
        TensorAccess.install(new TensorMembers());
    }

    final int[] dims;

    /** Changed, with offset, storage and contiguous, by {@link #data} and moveToOwnMemory only. */
    int[] strides;

    int offset;

    private final int count;
    private Storage storage;
    private boolean contiguous;

    private boolean requiresGrad;
    private @Nullable Tensor grad;
    private @Nullable Node gradFn;
    private int outputIndex;
    private @Nullable AccumulateGrad accumulator;
    private @Nullable ViewMeta viewMeta;

    private Tensor(
            Storage storage, int offset, int[] dims, int[] strides, int count, boolean contiguous) {
        this.storage = storage;
        this.offset = offset;
        this.dims = dims;
        this.strides = strides;
        this.count = count;
        this.contiguous = contiguous;
    }

    // ---- Making tensors; see also TensorFactories.

    /**
     * Return a view of a storage.
     *
     * @param storage shared with the tensor
     * @param offset index of the first element
     * @param strides elements from one index of a dimension to the next
     * @throws IllegalArgumentException when it would exceed the storage
     */
    static Tensor view(Storage storage, int offset, int[] shape, int[] strides) {
        return viewOfOwn(storage, offset, shape.clone(), strides.clone());
    }

    /** As {@link #view}, without copying the arrays, which must not change afterwards. */
    static Tensor viewOfOwn(Storage storage, int offset, int[] shape, int[] strides) {
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
        return new Tensor(
                storage, offset, shape, strides, count, Shapes.contiguous(shape, strides));
    }

    /** As {@link #viewOfOwn}, row after row from the first element on. */
    static Tensor contiguousView(Storage storage, int[] shape) {
        int count = Shapes.count(shape);
        if (count > storage.length()) {
            throw new IllegalArgumentException(
                    "shape %s needs %d elements, the storage has %d"
                            .formatted(Arrays.toString(shape), count, storage.length()));
        }
        return new Tensor(storage, 0, shape, Shapes.strides(shape), count, true);
    }

    /** Return a tensor with uninitialized elements. The shape is not copied. */
    static Tensor fresh(DType dtype, int[] shape) {
        return over(Storage.allocate(dtype, Shapes.count(shape), false), shape);
    }

    /** Return a sparse tensor. The shape is not copied, and fits the indices and values. */
    static Tensor over(SparseStorage storage, int[] shape) {
        return new Tensor(
                storage,
                0,
                shape,
                Shapes.strides(shape),
                Shapes.count(shape),
                /* contiguous= */ false);
    }

    static Tensor over(Storage storage, int[] shape) {
        return new Tensor(storage, 0, shape, Shapes.strides(shape), storage.length(), true);
    }

    // ---- What it is.

    /** {@return the type of the elements} */
    public DType dtype() {
        return storage.dtype();
    }

    /** {@return the device of its memory and operators} */
    public Device device() {
        return storage.device();
    }

    /** {@return a copy of the extents of the dimensions} */
    public int[] shape() {
        return dims.clone();
    }

    /** {@return the extent of a dimension; negative ones count from the end} */
    public int size(int dim) {
        if (dims.length == 0) {
            throw new IndexOutOfBoundsException(
                    "Dimension specified as %d but tensor has no dimensions".formatted(dim));
        }
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

    /**
     * {@return a copy of the distances, in elements, from one index of a dimension to the next}
     *
     * @throws IllegalStateException when the tensor is sparse
     */
    public int[] strides() {
        if (isSparse()) {
            throw new IllegalStateException(
                    "sparse tensors do not have strides; call toDense(), or look at the indices and values");
        }
        return strides.clone();
    }

    /** {@return the index in the storage of the first element} */
    public int storageOffset() {
        return offset;
    }

    /** {@return the memory, shared with all views of it} */
    Storage storage() {
        return storage;
    }

    /** {@return whether both tensors are views of the same storage} */
    public boolean sharesStorage(Tensor other) {
        return storage.equals(other.storage);
    }

    /**
     * {@return elements in the storage, which may be more or fewer than those of the tensor; 0 for
     * a sparse one, whose indices and values are tensors with their own storages}
     */
    public int storageLength() {
        return storage.length();
    }

    /** {@return whether the elements are contiguous in row-major order} */
    public boolean isContiguous() {
        return contiguous;
    }

    /** {@return the type and shape, for messages} */
    String describe() {
        return dtype() + Arrays.toString(dims) + (isSparse() ? " (sparse)" : "");
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
     * {@return the one element as an integer}
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

    /** {@return the element at an index as an integer} */
    public long getLong(int... index) {
        return longElement(position(index));
    }

    /** {@return whether the element at an index is not zero} */
    public boolean getBoolean(int... index) {
        return element(position(index)) != 0;
    }

    private <A> double element(int position) {
        Elements<A> elements = dtype().elements();
        return elements.getDouble(StridedLoops.toArray(elements, one(position)), 0);
    }

    private <A> long longElement(int position) {
        Elements<A> elements = dtype().elements();
        return elements.getLong(StridedLoops.toArray(elements, one(position)), 0);
    }

    private Strided one(int position) {
        if (device().isCpu()) {
            return Strided.contiguous(storage.base(), position, 1);
        }
        return alias(new int[0], new int[0], position).onHost().strided();
    }

    /** {@return this without history, or a copy on the host} */
    Tensor onHost() {
        return DevicePlacement.copy(detach(), Device.CPU);
    }

    private <A> A toArray(DType dtype, Elements<A> elements) {
        return CurrentDevice.on(
                Device.CPU,
                () -> StridedLoops.toArray(elements, Elementwise.cast(onHost(), dtype).strided()));
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
        return toArray(DType.FLOAT32, DType.FLOAT32.elements());
    }

    /** {@return a copy of the elements in row-major order, converted} */
    public double[] toDoubleArray() {
        return toArray(DType.FLOAT64, DType.FLOAT64.elements());
    }

    /** {@return a copy of the elements in row-major order, converted; fractions are cut off} */
    public long[] toLongArray() {
        return toArray(DType.INT64, DType.INT64.elements());
    }

    /** {@return a copy of the elements in row-major order, converted; fractions are cut off} */
    public int[] toIntArray() {
        return toArray(DType.INT32, DType.INT32.elements());
    }

    /** {@return for each element, in row-major order, whether it is not zero} */
    public boolean[] toBooleanArray() {
        return Factories.booleans(toArray(DType.BOOL, DType.BOOL.elements()));
    }

    /**
     * {@return the memory of a contiguous tensor itself, not a copy} What is written there changes
     * the tensor, undetected by backward passes that saved it. Native memory stays for as long as
     * the segment or the tensor is reachable, even after the {@link TensorScope} it was made in is
     * closed; that of a {@linkplain #wrap wrapped} segment for as long as its own arena.
     *
     * @throws IllegalStateException when the tensor is not contiguous
     */
    public MemorySegment asSegment() {
        MemorySegment all = storage.segment(); // a sparse tensor has none
        if (!contiguous) {
            throw new IllegalStateException(
                    "asSegment() needs a contiguous tensor, this is %s with strides %s; use contiguous(), or toSegment() for a copy"
                            .formatted(describe(), Arrays.toString(strides)));
        }
        long bytes = dtype().bytes();
        storage.escape();
        return all.asSlice(count == 0 ? 0 : offset * bytes, count * bytes);
    }

    /** {@return a copy of the elements in row-major order, in memory from an allocator} */
    public MemorySegment toSegment(SegmentAllocator allocator) {
        Tensor source = CurrentDevice.on(Device.CPU, () -> Elementwise.contiguous(onHost()));
        long bytes = dtype().bytes();
        MemorySegment copy = allocator.allocate(count * bytes, bytes);
        MemorySegment.copy(source.storage.segment(), source.offset * bytes, copy, 0, count * bytes);
        return copy;
    }

    /**
     * {@return whether another tensor has the same shape, type, layout and elements; sparse ones
     * are compared coalesced}
     */
    public boolean equal(Tensor other) {
        if (dtype() != other.dtype() || !Arrays.equals(dims, other.dims)) {
            return false;
        }
        if (isSparse() || other.isSparse()) {
            return SparseTensors.close(this, other, Tensor::equal);
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
     * {@return whether another tensor has the same shape and layout, and each element {@code |a -
     * b| <= absolute + relative * |b|}; sparse ones are compared coalesced}
     */
    public boolean allclose(Tensor other, double relative, double absolute) {
        if (isSparse() || other.isSparse()) {
            return Arrays.equals(dims, other.dims)
                    && SparseTensors.close(
                            this, other, (a, b) -> a.allclose(b, relative, absolute));
        }
        return Arrays.equals(dims, other.dims) && Factories.close(this, other, relative, absolute);
    }

    // ---- Gradients.

    /** {@return whether gradients flow to or through this tensor} */
    public boolean requiresGrad() {
        return requiresGrad || gradFn() != null;
    }

    /**
     * Say whether this leaf gets a gradient.
     *
     * @return this
     * @throws IllegalStateException when it is the result of an operator, or cannot have one
     */
    public Tensor requiresGrad(boolean wanted) {
        if (gradFn() != null && !wanted) {
            throw new IllegalStateException(
                    "only a leaf can stop requiring a gradient; for the result of an operator use detach()");
        }
        if (wanted && !dtype().isFloating()) {
            throw new IllegalStateException(
                    "only Tensors of floating point dtype can require gradients; this one is "
                            + dtype());
        }
        requiresGrad = wanted;
        return this;
    }

    /** {@return whether it is a leaf: not the result of a recorded operator} */
    public boolean isLeaf() {
        return gradFn() == null;
    }

    /**
     * {@return the node that computes the gradients of this result's inputs; null for a leaf. A
     * recorded in-place operation replaces it, for all tensors that share the changed memory}
     */
    public @Nullable Node gradFn() {
        ViewMeta of = viewMeta;
        if (of != null && !requiresGrad) {
            of.refresh(this);
        }
        return gradFn;
    }

    /** {@return which of the results of {@link #gradFn}'s operator this is} */
    public int outputIndex() {
        var _ = gradFn();
        return outputIndex;
    }

    /**
     * {@return the gradient accumulated so far; null before the first backward pass, and for the
     * result of an operator unless {@link #retainGrad} was called}
     */
    public @Nullable Tensor grad() {
        return grad;
    }

    /**
     * Replace the gradient.
     *
     * @param gradient of this tensor's shape and type, or null to forget it; sparse if this is, and
     *     maybe otherwise
     * @return this
     */
    public Tensor grad(@Nullable Tensor gradient) {
        if (gradient != null) {
            boolean layoutFits = gradient.isSparse() || !isSparse();
            if (!Arrays.equals(dims, gradient.dims) || dtype() != gradient.dtype() || !layoutFits) {
                throw new IllegalArgumentException(
                        "assigned grad has data of a different size or type: %s for a tensor of %s"
                                .formatted(gradient.describe(), describe()));
            }
            if (!device().equals(gradient.device())) {
                throw new IllegalArgumentException(
                        "assigned grad has data located on a different device: %s for a tensor on %s"
                                .formatted(gradient.device(), device()));
            }
            gradient.storage.beginGradient();
            gradient.storage.share();
        }
        if (grad != null) {
            grad.storage.endGradient();
        }
        grad = gradient;
        return this;
    }

    /**
     * Forget the gradient, or set it to zero.
     *
     * @param setToNone whether to forget it; if not, an existing gradient is set to zero in its own
     *     memory
     */
    public void zeroGrad(boolean setToNone) {
        Tensor before = grad;
        if (setToNone) {
            grad(null);
        } else if (before != null) {
            before.zero_();
        }
    }

    /**
     * Make backward passes accumulate the gradient of this result in its {@link #grad}, as for
     * leaves. It is a copy of the gradient after the hooks. Does nothing for a leaf.
     *
     * @return this
     * @throws IllegalStateException when the tensor requires no gradient
     */
    public Tensor retainGrad() {
        if (!requiresGrad()) {
            throw new IllegalStateException("a tensor that requires no gradient cannot retain one");
        }
        Node made = gradFn();
        if (made != null) {
            AutogradAccess.retainGrad(made, outputIndex, this);
        }
        return this;
    }

    /** {@return whether {@link #retainGrad} was called on this result; false for a leaf} */
    public boolean retainsGrad() {
        Node made = gradFn();
        return made != null && AutogradAccess.retainsGrad(made, outputIndex);
    }

    /**
     * Replace the memory of this leaf by that of another tensor: its elements, type and device.
     * References to this tensor see the new elements; its views keep the old ones. A backward pass
     * that needs the old elements is refused. The counterpart of assigning {@code data} in PyTorch.
     *
     * @param values dense and of this shape; shared with this, and counts as changed
     * @return this
     * @throws IllegalStateException when this is the result of an operator, or has a gradient that
     *     would no longer fit
     * @throws IllegalArgumentException when the values have another shape, are sparse, or are not
     *     floating-point and a gradient is required
     */
    public Tensor data(Tensor values) {
        Replacement.check(this, values);
        Storage before = storage;
        storage = values.storage;
        strides = values.strides;
        offset = values.offset;
        contiguous = values.contiguous;
        storage.replace(before);
        AccumulateGrad end = accumulator;
        if (end != null) {
            AutogradAccess.variableChanged(end);
        }
        return this;
    }

    void setHistory(@Nullable Node node, int index) {
        gradFn = node;
        outputIndex = index;
    }

    /** Replace the history, after a change in place. Hooks stay with the old history. */
    void rebase(@Nullable Node node, int index) {
        Node before = gradFn;
        if (before != null && AutogradAccess.retainsGrad(before, outputIndex)) {
            AutogradAccess.retainGrad(before, outputIndex, null);
            if (node != null) {
                AutogradAccess.retainGrad(node, index, this);
            }
        }
        setHistory(node, index);
    }

    /** {@return the view metadata; null when this is not a view} */
    @Nullable ViewMeta viewMeta() {
        ViewMeta of = viewMeta;
        return of == null || of.holds() ? of : null;
    }

    void viewOf(@Nullable ViewMeta of) {
        viewMeta = of;
    }

    /** Copy the elements to own memory, before the shared memory changes. */
    void moveToOwnMemory() {
        Tensor copy = Elementwise.copy(detach());
        copy.storage.replaceUnchanged(storage);
        storage = copy.storage;
        strides = copy.strides;
        offset = copy.offset;
        contiguous = copy.contiguous;
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
     * Register a hook that sees, and may replace, the gradient of this tensor whenever it is
     * computed. Hooks run in the order they were added, after those of the node that gets the
     * gradient.
     *
     * @throws IllegalStateException when the tensor requires no gradient
     */
    public HookHandle registerHook(Node.TensorHook hook) {
        if (!requiresGrad()) {
            throw new IllegalStateException(
                    "cannot register a hook on a tensor that doesn't require gradient");
        }
        Edge edge = Edge.of(this);
        return AutogradAccess.addTensorHook(edge.node(), edge.inputIndex(), hook);
    }

    /** Compute the gradients of all leaves of this scalar; see {@link #backward(Tensor)}. */
    public void backward() {
        AutogradAccess.backward(this, null, false);
    }

    /** As {@link #backward()}; the graph is retained, so that another pass can run. */
    public void backward(boolean retainGraph) {
        AutogradAccess.backward(this, null, retainGraph);
    }

    /**
     * Compute the gradients of all leaves of this tensor, and add them to their {@link #grad}. The
     * saved tensors of the graph are freed.
     *
     * @param gradient of this tensor, and of its shape
     * @throws IllegalStateException when the tensor requires no gradient, or a saved tensor was
     *     freed by an earlier pass or changed in place
     */
    public void backward(Tensor gradient) {
        AutogradAccess.backward(this, gradient, false);
    }

    /** As {@link #backward(Tensor)}; the graph may be retained. */
    public void backward(Tensor gradient, boolean retainGraph) {
        AutogradAccess.backward(this, gradient, retainGraph);
    }

    /** {@return a copy that gradients flow through; as {@link #copy()}} */
    @Override
    @SuppressWarnings("NoSuperClone") // the operator makes a tensor with its own memory
    public Tensor clone() {
        return copy();
    }

    /** {@return a view of the same memory that gradients do not flow through} */
    public Tensor detach() {
        return new Tensor(storage, offset, dims, strides, count, contiguous);
    }

    // ---- Views and layouts for the operators; without history.

    /** {@return a view of the same memory with other dimensions} */
    Tensor alias(int[] newDims, int[] newStrides) {
        return alias(newDims, newStrides, offset);
    }

    Tensor alias(int[] newDims, int[] newStrides, int newOffset) {
        if (isSparse()) {
            throw new IllegalStateException(
                    "a sparse tensor has no views of its elements: %s; call toDense()"
                            .formatted(describe()));
        }
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
        return new Strided(storage.operandBase(), offset, dims, strides);
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
        return new Strided(
                storage.operandBase(), offset, shape, Shapes.expandedStrides(dims, strides, shape));
    }

    /** {@return whether the elements are contiguous in an array} */
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
        return (String) LocalHandles.PRINT.call(this);
    }
}
