package org.gradwire.tensor;

import java.lang.foreign.MemorySegment;

/**
 * What a sparse tensor holds: coordinates of elements, and the elements, both as dense tensors.
 *
 * <p>It has no memory itself, so whatever works on the memory of dense tensors fails here with
 * advice. The coordinates are never written to, and so may be shared by many tensors; a change in
 * place that needs others {@linkplain #replace replaces} them.
 */
final class SparseStorage extends Storage {
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
    SparseStorage(Tensor indices, Tensor values, boolean coalesced) {
        super(values.dtype(), 0, null);
        this.indices = indices;
        this.values = values;
        this.coalesced = coalesced || indices.dims[1] < 2;
    }

    /**
     * Return what a sparse tensor holds.
     *
     * @throws IllegalArgumentException when the tensor is dense
     */
    static SparseStorage of(Tensor tensor, String operation) {
        if (tensor.storage() instanceof SparseStorage sparse) {
            return sparse;
        }
        throw new IllegalArgumentException(
                "%s is for sparse tensors only, and this one is dense: %s; call toSparse()"
                        .formatted(operation, tensor.describe()));
    }

    Tensor indices() {
        return indices;
    }

    Tensor values() {
        return values;
    }

    boolean coalesced() {
        return coalesced;
    }

    int nnz() {
        return indices.dims[1];
    }

    int sparseDim() {
        return indices.dims[0];
    }

    /** {@return how many numbers belong to one column of indices} */
    int width() {
        int width = 1;
        for (int d = 1; d < values.dims.length; d++) {
            width *= values.dims[d];
        }
        return width;
    }

    /** Hold something else of the same type from now on; a change in place. */
    void replace(SparseStorage other) {
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
                        .formatted(values.describe(), indices.describe()));
    }

    @Override
    Object base() {
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
    void escape() {
        indices.storage().escape();
        values.storage().escape();
    }

    @Override
    void beginGradient() {
        gradients++;
        begin();
    }

    @Override
    void endGradient() {
        gradients--;
        end();
    }

    private void begin() {
        indices.storage().beginGradient();
        values.storage().beginGradient();
    }

    private void end() {
        indices.storage().endGradient();
        values.storage().endGradient();
    }

    @Override
    public int version() {
        return earlierVersions + values.storage().version();
    }

    /** Only the values count: indices are not written to. */
    @Override
    void share() {
        values.storage().share();
    }

    @Override
    boolean isShared() {
        return values.storage().isShared();
    }

    @Override
    boolean madeDuring(Execution someExecution) {
        return values.storage().madeDuring(someExecution);
    }

    @Override
    boolean shares(Storage other) {
        return other instanceof SparseStorage sparse
                ? values.storage() == sparse.values.storage()
                : values.storage() == other;
    }
}
