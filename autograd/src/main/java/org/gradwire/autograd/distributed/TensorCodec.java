package org.gradwire.autograd.distributed;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.ValueCodec;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.Storage;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * The wire format of tensors: type, shape and strides in the payload, the elements in a buffer,
 * taken directly from the tensor's memory if they are dense there. A view sends only the elements
 * that it covers; it arrives with its strides or, if more than half of its memory would be gaps,
 * with their order. A sparse tensor sends its indices and values.
 */
final class TensorCodec implements ValueCodec<Tensor> {
    private static final int MAX_DIMS = 64;

    /** Replaces the element type, before a device and the tensor itself. */
    private static final int ON_DEVICE = 0x200;

    /** Replaces {@link #ON_DEVICE}: the receiver copies from the sender's device. */
    private static final int SHARED = 0x201;

    /** Added to the number of the element type: the elements are in the payload. */
    private static final int INLINE = 0x400;

    /** Added to the number of the element type: the tensor has gaps, which are not sent. */
    private static final int GAPS = 0x800;

    /**
     * Size up to which a view keeps its gaps, as in PyTorch; a larger one keeps them if they are at
     * most half of its memory.
     */
    private static final long SMALL_BYTES = 8 * 1024;

    /** Most elements in the payload, which cost fewer objects and bytes than in a buffer. */
    private static final int MOST_INLINE = 32;

    private static final DType[] DTYPES = DType.values();

    private final BiFunction<Device, Output, Device> targets;
    private final DeviceCopies shares;

    /**
     * Create a codec.
     *
     * @param targets the device at the receiver of a message, by the device of a tensor
     * @param shares copies of tensors without host memory
     */
    TensorCodec(BiFunction<Device, Output, Device> targets, DeviceCopies shares) {
        this.targets = targets;
        this.shares = shares;
    }

    @Override
    public String tag() {
        return "tensor";
    }

    @Override
    public Class<Tensor> type() {
        return Tensor.class;
    }

    @Override
    public boolean holdsReferences() {
        return false;
    }

    @Override
    public boolean runsOnPoller() {
        return true;
    }

    @Override
    public void encode(Tensor value, Output out) {
        if (value.device().isCpu()) {
            encodeOnHost(value, out);
        } else if (isShared(value, out)) {
            encodeShared(value, targets.apply(value.device(), out), out);
        } else {
            out.writeInt(ON_DEVICE);
            out.writeString(targets.apply(value.device(), out).toString());
            Tensor copy = value.detach().to(Device.CPU);
            encodeOnHost(copy.requiresGrad(value.requiresGrad()), out);
        }
        out.attach(Tensor.class, value);
    }

    private boolean isShared(Tensor value, Output out) {
        return value.numel() > 0 && !value.isSparse() && shares.reaches(out, value.device());
    }

    private void encodeShared(Tensor value, Device target, Output out) {
        Tensor dense = isDense(value) ? value : value.detach().contiguous();
        out.writeInt(SHARED);
        out.writeString(target.toString());
        out.writeInt(codeOf(value.dtype()));
        out.writeBoolean(value.requiresGrad());
        out.writeInt(value.dim());
        for (int d = 0; d < value.dim(); d++) {
            out.writeInt(dense.size(d));
        }
        out.writeBoolean(dense.isContiguous());
        if (!dense.isContiguous()) {
            writeStrides(dense, out);
        }
        long count = span(dense);
        out.writeLong(count);
        shares.write(dense, count, out);
    }

    private Tensor decodeShared(Device device, DType dtype, int[] shape, Input in) {
        int[] strides = in.readBoolean() ? null : readStrides(in, shape.length);
        long count = in.readLong();
        if (count <= 0 || count > Integer.MAX_VALUE) {
            throw new DecodingException("a tensor of %d elements on a device".formatted(count));
        }
        return view(shares.read(dtype, device, (int) count, in), shape, strides);
    }

    private static void encodeOnHost(Tensor value, Output out) {
        if (value.isSparse()) {
            SparseTensorCodec.encode(value, codeOf(value.dtype()), out);
        } else {
            encodeDense(value, out);
        }
    }

    private static void encodeDense(Tensor value, Output out) {
        Tensor dense = isDense(value) ? value : packed(value);
        boolean gaps = dense != value && keepsGaps(value);
        int count = Math.toIntExact(span(dense));
        boolean inline = TensorAccess.storage(dense).isArray() && count <= MOST_INLINE;
        out.writeInt(codeOf(value.dtype()) | (inline ? INLINE : 0) | (gaps ? GAPS : 0));
        out.writeBoolean(value.requiresGrad());
        out.writeInt(value.dim());
        for (int d = 0; d < value.dim(); d++) {
            out.writeInt(dense.size(d));
        }
        boolean contiguous = dense.isContiguous();
        out.writeBoolean(contiguous);
        if (!contiguous) {
            writeStrides(dense, out);
        }
        if (gaps) {
            writeStrides(value, out);
        }
        if (inline) {
            out.writeInt(count);
            TensorAccess.storage(dense).write(dense.storageOffset(), count, out);
        } else {
            writeElements(dense, count, out);
        }
    }

    private static void writeStrides(Tensor tensor, Output out) {
        for (int stride : tensor.strides()) {
            out.writeInt(stride);
        }
    }

    private static boolean keepsGaps(Tensor tensor) {
        long span = span(tensor);
        return span * tensor.dtype().bytes() <= SMALL_BYTES || span <= 2 * covered(tensor);
    }

    /** Write elements directly from the memory of a tensor, from its first one on. */
    static void writeElements(Tensor dense, long count, Output out) {
        Storage storage = TensorAccess.storage(dense);
        storage.retain();
        long offset = dense.storageOffset() * (long) dense.dtype().bytes();
        long bytes = count * dense.dtype().bytes();
        MemorySegment all = storage.segment();
        MemorySegment elements = bytes == all.byteSize() ? all : all.asSlice(offset, bytes);
        out.writeBuffer(elements, storage::release);
    }

    /** {@return the number of an element type on the wire} */
    private static int codeOf(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> 1;
            case FLOAT64 -> 2;
            case INT64 -> 3;
            case INT32 -> 4;
            case BOOL -> 5;
            case FLOAT16 -> 6;
            case BFLOAT16 -> 7;
        };
    }

    private static DType dtypeOf(int code) {
        for (DType dtype : DTYPES) {
            if (codeOf(dtype) == code) {
                return dtype;
            }
        }
        throw new DecodingException("unknown element type " + code + " of a tensor");
    }

    /** {@return the number of storage elements from the first to the last one of a tensor} */
    private static long span(Tensor tensor) {
        if (tensor.numel() == 0 || tensor.isContiguous()) {
            return tensor.numel();
        }
        long last = 0;
        int[] strides = tensor.strides();
        for (int d = 0; d < strides.length; d++) {
            last += (long) (tensor.size(d) - 1) * strides[d];
        }
        return last + 1;
    }

    /**
     * {@return the number of storage elements that a tensor covers; expanded dimensions count once}
     */
    private static long covered(Tensor tensor) {
        long count = 1;
        int[] strides = tensor.strides();
        for (int d = 0; d < strides.length; d++) {
            count *= strides[d] == 0 && tensor.size(d) > 0 ? 1 : tensor.size(d);
        }
        return count;
    }

    private static boolean isDense(Tensor tensor) {
        return tensor.isContiguous() || span(tensor) <= covered(tensor);
    }

    /** Copy a tensor with gaps into memory without gaps, in the order of its strides. */
    private static Tensor packed(Tensor tensor) {
        int[] strides = tensor.strides();
        Integer[] order = IntStream.range(0, strides.length).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingInt((Integer d) -> strides[d]).reversed());
        int[] newStrides = new int[strides.length];
        int step = 1;
        for (int i = order.length - 1; i >= 0; i--) {
            int d = order[i];
            boolean expanded = strides[d] == 0;
            newStrides[d] = expanded ? 0 : step;
            step *= expanded ? 1 : tensor.size(d);
        }
        Tensor target = Tensor.zeros(tensor.dtype(), step);
        Tensor packed =
                TensorAccess.view(TensorAccess.storage(target), 0, tensor.shape(), newStrides);
        once(packed).copy_(once(tensor.detach()));
        return packed;
    }

    /** {@return a view of each element once: only the first index of expanded dimensions} */
    private static Tensor once(Tensor tensor) {
        Tensor single = tensor;
        int[] strides = tensor.strides();
        for (int d = 0; d < strides.length; d++) {
            if (strides[d] == 0 && tensor.size(d) > 1) {
                single = single.narrow(d, 0, 1);
            }
        }
        return single;
    }

    /** Return a tensor with gaps between elements that arrived without them. */
    private static Tensor spread(Tensor packed, int[] strides, Input in) {
        long span = 1;
        for (int d = 0; d < strides.length; d++) {
            span += (packed.size(d) - 1L) * strides[d];
        }
        boolean isSmall = span <= SMALL_BYTES / packed.dtype().bytes(); // the product may overflow
        if (packed.numel() == 0 || (!isSmall && span > 2 * span(packed))) { // rows may overlap
            throw new DecodingException(
                    "a tensor of shape %s does not keep the gaps of strides %s; the sender packs those"
                            .formatted(Arrays.toString(packed.shape()), Arrays.toString(strides)));
        }
        if (isSmall) { // a larger one takes at most twice the received bytes
            in.charge(span * packed.dtype().bytes());
        }
        Storage storage = TensorAccess.storage(Tensor.zeros(packed.dtype(), Math.toIntExact(span)));
        Tensor spread = view(storage, packed.shape(), strides);
        try {
            once(spread).copy_(once(packed));
        } catch (IllegalArgumentException e) {
            throw new DecodingException(
                    "strides %s repeat other elements than those that arrived"
                            .formatted(Arrays.toString(strides)),
                    e);
        }
        return spread;
    }

    @Override
    public Tensor decode(Input in) {
        int code = in.readInt();
        Device device = Device.CPU;
        boolean shared = code == SHARED;
        if (code == ON_DEVICE || shared) {
            device = device(in.readString());
            code = in.readInt();
        }
        boolean sparse = SparseTensorCodec.isSparse(code);
        int flags = sparse ? 0 : code & (INLINE | GAPS);
        DType dtype = dtypeOf(sparse ? SparseTensorCodec.elementCode(code) : code & ~flags);
        boolean requiresGrad = in.readBoolean();
        int[] shape = new int[in.readCount(MAX_DIMS)];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = in.readCount(Integer.MAX_VALUE);
        }
        Tensor arrived =
                shared
                        ? decodeShared(device, dtype, shape, in)
                        : sparse
                                ? SparseTensorCodec.decode(dtype, shape, in)
                                : decodeDense(dtype, flags, shape, in);
        Tensor tensor = device.isCpu() || shared ? arrived : arrived.to(device);
        if (requiresGrad) {
            if (!dtype.isFloating()) {
                throw new DecodingException("a tensor of " + dtype + " cannot require a gradient");
            }
            tensor.requiresGrad(true);
        }
        in.attach(Tensor.class, tensor);
        return tensor;
    }

    private static Device device(String name) {
        try {
            return Device.parse(name);
        } catch (IllegalArgumentException e) {
            throw new DecodingException("a tensor on an unknown device: " + e.getMessage());
        }
    }

    private static Tensor decodeDense(DType dtype, int flags, int[] shape, Input in) {
        int[] strides = in.readBoolean() ? null : readStrides(in, shape.length);
        int[] spread = (flags & GAPS) == 0 ? null : readStrides(in, shape.length);
        Storage elements =
                (flags & INLINE) != 0
                        ? Storage.read(dtype, in.readCount(MOST_INLINE), in)
                        : readElements(dtype, in);
        Tensor tensor = view(elements, shape, strides);
        return spread == null ? tensor : spread(tensor, spread, in);
    }

    static Storage readElements(DType dtype, Input in) {
        MemorySegment elements = in.readBuffer();
        if (elements.byteSize() % dtype.bytes() != 0) {
            throw new DecodingException(
                    "%d bytes hold no whole number of elements of %s"
                            .formatted(elements.byteSize(), dtype));
        }
        return storage(dtype, elements);
    }

    private static Storage storage(DType dtype, MemorySegment elements) {
        try {
            return Storage.over(dtype, elements);
        } catch (IllegalArgumentException e) {
            throw new DecodingException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Return a tensor over the elements that arrived with it.
     *
     * @param strides null for a contiguous tensor
     */
    static Tensor view(Storage storage, int[] shape, int @Nullable [] strides) {
        try {
            return strides == null
                    ? TensorAccess.contiguousView(storage, shape)
                    : TensorAccess.viewOfOwn(storage, 0, shape, strides);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new DecodingException(
                    "a tensor of shape %s does not fit the %d elements that came with it"
                            .formatted(Arrays.toString(shape), storage.length()),
                    e);
        }
    }

    private static int[] readStrides(Input in, int count) {
        int[] strides = new int[count];
        for (int d = 0; d < count; d++) {
            strides[d] = in.readCount(Integer.MAX_VALUE);
        }
        return strides;
    }
}
