package org.gradwire.tensor.rule.device;

import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.DeviceBase;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Matrix products by a device's kernel. */
public final class DeviceProducts {
    private static final String NAME = "matmul";

    private DeviceProducts() {}

    /** {@return whether all tensors are of one type, on a device that multiplies it} */
    public static boolean takes(@Nullable Object[] args) {
        DType dtype = null;
        for (Object arg : args) {
            if (arg instanceof Tensor tensor) {
                boolean alike = dtype == null || tensor.dtype() == dtype;
                if (!alike || !multiplies(tensor)) {
                    return false;
                }
                dtype = tensor.dtype();
            }
        }
        return true;
    }

    private static boolean multiplies(Tensor tensor) {
        return TensorAccess.storage(tensor).operandBase() instanceof DeviceBase base
                && base.kernels().has(NAME, DTypeAccess.elements(tensor.dtype()).type());
    }

    /**
     * Multiply two matrices, or two batches of them.
     *
     * @return whether the device has a kernel for them
     */
    public static boolean multiply(Tensor a, Tensor b, Tensor result, boolean accumulate) {
        ElementType type = DTypeAccess.elements(result.dtype()).type();
        if (!(TensorAccess.storage(result).operandBase() instanceof DeviceBase to)
                || !(TensorAccess.storage(a).operandBase() instanceof DeviceBase left)
                || !(TensorAccess.storage(b).operandBase() instanceof DeviceBase right)
                || !to.kernels().has(NAME, type)) {
            return false;
        }
        if (result.numel() == 0) {
            return true;
        }
        List<Operand> inputs =
                List.of(
                        operand(a, left.readable(), type),
                        operand(b, right.readable(), type),
                        Operand.number(ElementType.INT64, accumulate ? 1L : 0L));
        return to.kernels().run(NAME, operand(result, to.writable(), type), inputs);
    }

    private static Operand operand(Tensor x, DeviceMemory memory, ElementType type) {
        int[] dims = TensorAccess.dims(x);
        int[] strides = TensorAccess.strides(x);
        return dims.length == 3
                ? Operand.of(memory, type, TensorAccess.offset(x), dims, strides)
                : Operand.of(
                        memory,
                        type,
                        TensorAccess.offset(x),
                        new int[] {1, dims[0], dims[1]},
                        new int[] {0, strides[0], strides[1]});
    }
}
