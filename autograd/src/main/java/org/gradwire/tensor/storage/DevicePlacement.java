package org.gradwire.tensor.storage;

import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.sparse.SparseTensors;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The device of an operator's arguments, and copies of tensors to it. */
public final class DevicePlacement {
    private DevicePlacement() {}

    /**
     * Return the device of all tensors among some arguments; that of the thread when there is none.
     * Host tensors of one element may be mixed with tensors on a device.
     *
     * @throws IllegalArgumentException when there are two
     */
    public static Device common(@Nullable Object... args) {
        Device common = null;
        boolean numbers = false;
        for (Object arg : args) {
            if (arg instanceof Tensor tensor) {
                boolean number = isNumber(tensor);
                common = number ? common : joined(common, tensor);
                numbers |= number;
            } else if (arg instanceof List<?> list) {
                for (Object element : list) {
                    common = element instanceof Tensor tensor ? joined(common, tensor) : common;
                }
            }
        }
        return common != null ? common : numbers ? Device.CPU : ThreadState.current().device;
    }

    private static Device joined(@Nullable Device common, Tensor tensor) {
        Device device = tensor.device();
        if (common != null && !common.equals(device)) {
            throw different(common, device);
        }
        return device;
    }

    private static IllegalArgumentException different(Device one, Device other) {
        return new IllegalArgumentException(
                "Expected all tensors to be on the same device, but found at least two devices, %s and %s!"
                        .formatted(one, other));
    }

    /** {@return whether a tensor is a single number on the host, which goes with any device} */
    private static boolean isNumber(Tensor tensor) {
        return TensorAccess.dims(tensor).length == 0 && tensor.device().isCpu();
    }

    /** {@return the arguments, with copies on a device of the single numbers that are not} */
    public static @Nullable Object[] gathered(@Nullable Object[] args, Device device) {
        @Nullable Object[] gathered = args.clone();
        for (int i = 0; i < args.length; i++) {
            if (args[i] instanceof Tensor tensor && !tensor.device().equals(device)) {
                gathered[i] = copy(tensor.detach(), device);
            }
        }
        return gathered;
    }

    /**
     * Return a tensor on the device of another: itself, or a copy of a single number.
     *
     * @throws IllegalArgumentException when it is on another device
     */
    public static Tensor beside(Tensor target, Tensor other) {
        Device device = target.device();
        if (other.device().equals(device)) {
            return other;
        }
        if (!isNumber(other)) {
            throw different(device, other.device());
        }
        return copy(other, device);
    }

    /** Change a tensor in place, on its device. */
    public static Tensor change(Tensor target, Consumer<Tensor> change) {
        return CurrentDevice.on(
                target.device(),
                () -> {
                    if (TensorAccess.storage(target) instanceof DeviceStorage storage) {
                        ThreadState.current().hostCopies.changing(storage);
                    }
                    change.accept(target);
                    return target;
                });
    }

    /** Change a tensor in place by another one that is on its device, or a single number. */
    public static Tensor change(Tensor target, Tensor other, BiConsumer<Tensor, Tensor> change) {
        Tensor near = beside(target, other);
        return change(target, changed -> change.accept(changed, near));
    }

    /** Return the tensor itself when it is on a device, else a contiguous copy there. */
    public static Tensor copy(Tensor x, Device device) {
        Device from = x.device();
        if (from.equals(device)) {
            return x;
        }
        if (TensorAccess.storage(x) instanceof SparseStorage held) {
            Tensor indices = copy(held.indices(), device);
            Tensor values = copy(held.values(), device);
            return CurrentDevice.on(
                    device,
                    () ->
                            SparseTensors.sparseCoo(
                                    indices, values, held.coalesced(), TensorAccess.dims(x)));
        }
        Tensor dense = CurrentDevice.on(from, () -> Elementwise.contiguous(x));
        Tensor result =
                CurrentDevice.on(device, () -> TensorAccess.fresh(x.dtype(), TensorAccess.dims(x)));
        if (x.numel() > 0) {
            transfer(dense, result);
        }
        return result;
    }

    private static void transfer(Tensor from, Tensor to) {
        long elementBytes = from.dtype().bytes();
        long offset = TensorAccess.offset(from) * elementBytes;
        long bytes = from.numel() * elementBytes;
        if (!(TensorAccess.storage(from) instanceof DeviceStorage source)) {
            DeviceStorage target = (DeviceStorage) TensorAccess.storage(to);
            target.target()
                    .copyFromHost(TensorAccess.storage(from).segment().asSlice(offset, bytes), 0);
        } else if (!(TensorAccess.storage(to) instanceof DeviceStorage target)) {
            source.source()
                    .copyToHost(offset, TensorAccess.storage(to).segment().asSlice(0, bytes));
        } else if (source.device().type().equals(target.device().type())) {
            source.source().copyTo(offset, target.target(), 0, bytes);
        } else {
            transfer(copy(from, Device.CPU), to);
        }
    }
}
