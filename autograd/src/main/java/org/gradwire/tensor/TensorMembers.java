package org.gradwire.tensor;

import org.gradwire.autograd.AccumulateGrad;
import org.gradwire.autograd.Node;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.operator.ViewMeta;
import org.gradwire.tensor.storage.SparseStorage;
import org.gradwire.tensor.storage.Storage;
import org.jspecify.annotations.Nullable;

import java.util.function.Function;

/** The members that {@link TensorAccess} exposes to this module's other packages. */
final class TensorMembers implements TensorAccess.Members {
    @Override
    public int[] dims(Tensor tensor) {
        return tensor.dims;
    }

    @Override
    public int[] strides(Tensor tensor) {
        return tensor.strides;
    }

    @Override
    public int offset(Tensor tensor) {
        return tensor.offset;
    }

    @Override
    public Storage storage(Tensor tensor) {
        return tensor.storage();
    }

    @Override
    public Object base(Tensor tensor) {
        return tensor.base();
    }

    @Override
    public Strided strided(Tensor tensor) {
        return tensor.strided();
    }

    @Override
    public Strided strided(Tensor tensor, int[] shape) {
        return tensor.strided(shape);
    }

    @Override
    public boolean isPlainArray(Tensor tensor) {
        return tensor.isPlainArray();
    }

    @Override
    public String describe(Tensor tensor) {
        return tensor.describe();
    }

    @Override
    public Tensor fresh(DType dtype, int[] shape) {
        return Tensor.fresh(dtype, shape);
    }

    @Override
    public Tensor over(Storage storage, int[] shape) {
        return Tensor.over(storage, shape);
    }

    @Override
    public Tensor over(SparseStorage storage, int[] shape) {
        return Tensor.over(storage, shape);
    }

    @Override
    public Tensor view(Storage storage, int offset, int[] shape, int[] strides) {
        return Tensor.view(storage, offset, shape, strides);
    }

    @Override
    public Tensor viewOfOwn(Storage storage, int offset, int[] shape, int[] strides) {
        return Tensor.viewOfOwn(storage, offset, shape, strides);
    }

    @Override
    public Tensor contiguousView(Storage storage, int[] shape) {
        return Tensor.contiguousView(storage, shape);
    }

    @Override
    public Tensor onHost(Tensor tensor) {
        return tensor.onHost();
    }

    @Override
    public Tensor alias(Tensor tensor, int[] dims, int[] strides) {
        return tensor.alias(dims, strides);
    }

    @Override
    public Tensor alias(Tensor tensor, int[] dims, int[] strides, int offset) {
        return tensor.alias(dims, strides, offset);
    }

    @Override
    public Tensor permuted(Tensor tensor, int... order) {
        return tensor.permuted(order);
    }

    @Override
    public Tensor transposed(Tensor tensor) {
        return tensor.transposed();
    }

    @Override
    public Tensor reshaped(Tensor tensor, int... shape) {
        return tensor.reshaped(shape);
    }

    @Override
    public Tensor viewAs(Tensor tensor, int... shape) {
        return tensor.viewAs(shape);
    }

    @Override
    public void moveToOwnMemory(Tensor tensor) {
        tensor.moveToOwnMemory();
    }

    @Override
    public void setHistory(Tensor tensor, @Nullable Node node, int index) {
        tensor.setHistory(node, index);
    }

    @Override
    public void rebase(Tensor tensor, @Nullable Node node, int index) {
        tensor.rebase(node, index);
    }

    @Override
    public @Nullable ViewMeta viewOf(Tensor tensor) {
        return tensor.viewMeta();
    }

    @Override
    public void viewOf(Tensor tensor, @Nullable ViewMeta of) {
        tensor.viewOf(of);
    }

    @Override
    public AccumulateGrad accumulator(Tensor tensor, Function<Tensor, AccumulateGrad> maker) {
        return tensor.accumulator(maker);
    }
}
