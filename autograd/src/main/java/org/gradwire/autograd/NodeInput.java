package org.gradwire.autograd;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Layout;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.sparse.SparseTensors;
import org.gradwire.tensor.storage.CurrentDevice;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Metadata of one input of a node: the shape, type and layout of its gradient, and its hooks. */
final class NodeInput {
    final int[] shape;
    DType dtype;
    Device device;
    final int sparseDim; // -1 for a dense tensor
    private volatile @Nullable HookList<Node.TensorHook> hooks;
    private volatile @Nullable Tensor retained;

    NodeInput(Tensor tensor) {
        this.shape = TensorAccess.dims(tensor);
        this.dtype = tensor.dtype();
        this.device = tensor.device();
        this.sparseDim = tensor.isSparse() ? tensor.sparseDim() : -1;
    }

    /** Adapt to the tensor's new type or device. */
    void changed(Tensor tensor) {
        dtype = tensor.dtype();
        device = tensor.device();
    }

    /** {@return whether the gradient must be sparse} */
    boolean isSparse() {
        return sparseDim >= 0;
    }

    /** {@return the zeros that replace an undefined gradient} */
    Tensor zeros() {
        return isSparse()
                ? CurrentDevice.on(device, () -> SparseTensors.empty(dtype, shape, sparseDim))
                : Tensor.zeros(dtype, device, shape);
    }

    synchronized HookHandle add(Node.TensorHook hook) {
        HookList<Node.TensorHook> list = hooks;
        if (list == null) {
            list = new HookList<>();
            hooks = list;
        }
        return list.add(hook);
    }

    /** Accumulate the gradients in the {@code grad} of the attached tensor. */
    void retain(@Nullable Tensor tensor) {
        retained = tensor;
    }

    boolean isRetained() {
        return retained != null;
    }

    /** {@return whether any hook sees the gradient before the node does} */
    boolean watched() {
        HookList<Node.TensorHook> list = hooks;
        return retained != null || (list != null && !list.isEmpty());
    }

    /** Run the hooks, and return the gradient that they leave. */
    Tensor run(Node node, Tensor gradient) {
        Tensor current = gradient;
        HookList<Node.TensorHook> list = hooks;
        if (list != null) {
            for (Node.TensorHook hook : list) {
                current = checked(node, hook.apply(current));
            }
        }
        Tensor keeper = retained;
        if (keeper != null) {
            Gradients.retain(keeper, current);
        }
        return current;
    }

    /** Return a hook's gradient after checking it. */
    Tensor checked(Node node, @Nullable Tensor gradient) {
        if (gradient == null) {
            throw new IllegalStateException(
                    "a hook of %s returned null; return the gradient it was given to keep that"
                            .formatted(node.name()));
        }
        if (!Arrays.equals(TensorAccess.dims(gradient), shape)) {
            throw new IllegalStateException(
                    "a hook of %s has changed the size of value (was %s got %s)"
                            .formatted(
                                    node.name(),
                                    Arrays.toString(shape),
                                    Arrays.toString(TensorAccess.dims(gradient))));
        }
        if (gradient.dtype() != dtype) {
            throw new IllegalStateException(
                    "a hook of %s has changed the type of value (was %s got %s)"
                            .formatted(node.name(), dtype, gradient.dtype()));
        }
        if (isSparse() && !gradient.isSparse()) {
            throw new IllegalStateException(
                    "a hook of %s has changed the layout of value (was %s got %s)"
                            .formatted(node.name(), Layout.SPARSE_COO, gradient.layout()));
        }
        return gradient;
    }
}
