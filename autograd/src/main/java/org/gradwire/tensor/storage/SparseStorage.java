package org.gradwire.tensor.storage;

import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import java.lang.foreign.MemorySegment;

/**
 * Storage of a sparse tensor: indices and values, both dense tensors.
 *
 * <p>It has no memory itself, so operations on the memory of dense tensors fail with advice. The
 * coordinates are never written to, and so may be shared by many tensors; a change in place that
 * needs others {@linkplain #replace replaces} them.
 */
public final class SparseStorage extends Storage {
    private Tensor indices;
    private Tensor values;
    private boolean coalesced;
    private int gradients; // tensors whose gradient it is
    private int earlierVersions; // of values that were replaced

    /**
     * Create a storage.
     *
     * @param indices int64 {@code [sparse dimensions, n]}: a column for each element
     * @param values {@code [n, dense dimensions...]}
     * @param coalesced whether the columns ascend, and none comes twice
     */
    public SparseStorage(Tensor indices, Tensor values, boolean coalesced) {
        super(values.dtype(), 0, null);
        this.indices = indices;
        this.values = values;
        this.coalesced = coalesced || TensorAccess.dims(indices)[1] < 2;
    }

    /**
     * Return the storage of a sparse tensor.
     *
     * @throws IllegalArgumentException when the tensor is dense
     */
    public static SparseStorage of(Tensor tensor, String operation) {
        if (TensorAccess.storage(tensor) instanceof SparseStorage sparse) {
            return sparse;
        }
        throw new IllegalArgumentException(
                "%s is for sparse tensors only, and this one is dense: %s; call toSparse()"
                        .formatted(operation, TensorAccess.describe(tensor)));
    }

    public Tensor indices() {
        return indices;
    }

    public Tensor values() {
        return values;
    }

    public boolean coalesced() {
        return coalesced;
    }

    public int nnz() {
        return TensorAccess.dims(indices)[1];
    }

    public int sparseDim() {
        return TensorAccess.dims(indices)[0];
    }

    /** {@return how many numbers belong to one column of indices} */
    public int width() {
        int width = 1;
        for (int d = 1; d < TensorAccess.dims(values).length; d++) {
            width *= TensorAccess.dims(values)[d];
        }
        return width;
    }

    /** Replace the indices and values; a change in place. */
    public void replace(SparseStorage other) {
        int before = version();
        if (isShared()) {
            other.share();
        }
        for (int i = 0; i < gradients; i++) {
            other.begin();
            end();
        }
        indices = other.indices;
        values = other.values;
        coalesced = other.coalesced;
        earlierVersions += before + 1 - version();
    }

    @Override
    public Device device() {
        return values.device();
    }

    private IllegalStateException noMemory() {
        return new IllegalStateException(
                "a sparse tensor has no memory with all its elements (%s values at indices %s); call toDense(), or look at its indices and values"
                        .formatted(TensorAccess.describe(values), TensorAccess.describe(indices)));
    }

    @Override
    public Object base() {
        throw noMemory();
    }

    @Override
    public MemorySegment segment() {
        throw noMemory();
    }

    @Override
    public boolean isNative() {
        return false;
    }

    @Override
    public void retain() {
        throw noMemory();
    }

    @Override
    public void release() {
        throw noMemory();
    }

    @Override
    public void escape() {
        TensorAccess.storage(indices).escape();
        TensorAccess.storage(values).escape();
    }

    @Override
    public void beginGradient() {
        gradients++;
        begin();
    }

    @Override
    public void endGradient() {
        gradients--;
        end();
    }

    private void begin() {
        TensorAccess.storage(indices).beginGradient();
        TensorAccess.storage(values).beginGradient();
    }

    private void end() {
        TensorAccess.storage(indices).endGradient();
        TensorAccess.storage(values).endGradient();
    }

    @Override
    public int version() {
        return earlierVersions + TensorAccess.storage(values).version();
    }

    /** Only the values count: indices are not written to. */
    @Override
    public void share() {
        TensorAccess.storage(values).share();
    }

    @Override
    public boolean isShared() {
        return TensorAccess.storage(values).isShared();
    }

    @Override
    public boolean madeDuring(NodeRun run) {
        return TensorAccess.storage(values).madeDuring(run);
    }

    @Override
    Storage ofElements() {
        return TensorAccess.storage(values);
    }
}
