package org.gradwire.tensor.storage;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.DeviceKernels.Matrix;
import org.gradwire.spi.device.DeviceKernels.Run;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.MatrixProduct;
import org.gradwire.tensor.kernel.element.Unary;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;

/**
 * Dispatch of kernels to the thread's current device, if it implements them; the host's are those
 * of {@link org.gradwire.tensor.kernel}.
 */
public final class DeviceKernelDispatch {
    private DeviceKernelDispatch() {}

    private static DeviceKernels of(Device device) {
        return Devices.installed().provider(device).kernels();
    }

    /** {@return whether the device multiplied} */
    public static boolean multiply(
            DType dtype, MatrixProduct p, Object a, int ao, Object b, int bo, Object c, int co) {
        if (!(a instanceof MemorySegment left)
                || !(b instanceof MemorySegment right)
                || !(c instanceof MemorySegment product)) {
            return false; // arrays are the host's
        }
        Device device = ThreadState.current().device;
        if (device.isCpu() || TensorAccess.isReduced(dtype)) {
            return false;
        }
        return of(device)
                .multiply(
                        device.index(),
                        dtype.kind(),
                        matrix(left, ao, p.m(), p.k(), p.aTransposed(), p.aStride()),
                        matrix(right, bo, p.k(), p.n(), p.bTransposed(), p.bStride()),
                        matrix(product, co, p.m(), p.n(), false, p.cStride()),
                        p.accumulate());
    }

    private static Matrix matrix(
            MemorySegment memory,
            int offset,
            int rows,
            int columns,
            boolean transposed,
            int stride) {
        return new Matrix(
                memory, offset, rows, columns, transposed ? 1 : stride, transposed ? stride : 1);
    }

    /** {@return whether the device computed the result} */
    public static boolean unary(Unary function, Tensor x, Tensor result) {
        Device device = ThreadState.current().device;
        return !device.isCpu()
                && !TensorAccess.isReduced(result.dtype())
                && x.isContiguous()
                && of(device)
                        .unary(
                                device.index(),
                                function.name().toLowerCase(Locale.ROOT),
                                result.dtype().kind(),
                                run(x),
                                run(result));
    }

    /** {@return whether the device computed the result} */
    public static boolean binary(Binary function, Tensor a, Tensor b, Tensor result) {
        Device device = ThreadState.current().device;
        return !device.isCpu()
                && !TensorAccess.isReduced(result.dtype())
                && Arrays.equals(TensorAccess.dims(a), TensorAccess.dims(b))
                && a.isContiguous()
                && b.isContiguous()
                && of(device)
                        .binary(
                                device.index(),
                                function.name().toLowerCase(Locale.ROOT),
                                result.dtype().kind(),
                                run(a),
                                run(b),
                                run(result));
    }

    private static Run run(Tensor x) {
        return new Run(TensorAccess.storage(x).bytes(), TensorAccess.offset(x), x.numel());
    }
}
