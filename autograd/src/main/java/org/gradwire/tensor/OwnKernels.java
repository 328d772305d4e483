package org.gradwire.tensor;

import org.gradwire.spi.DeviceKernels;
import org.gradwire.spi.DeviceKernels.Matrix;
import org.gradwire.spi.DeviceKernels.Run;
import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.MatrixProduct;
import org.gradwire.tensor.kernel.Unary;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;

/**
 * Asks the device that the thread runs kernels for whether it has one of its own; the host has none
 * beside those of {@link org.gradwire.tensor.kernel}.
 */
final class OwnKernels {
    private OwnKernels() {}

    private static DeviceKernels of(Device device) {
        return Devices.installed().provider(device).kernels();
    }

    /** {@return whether the device multiplied} */
    static boolean multiply(
            DType dtype, MatrixProduct p, Object a, int ao, Object b, int bo, Object c, int co) {
        if (!(a instanceof MemorySegment left)
                || !(b instanceof MemorySegment right)
                || !(c instanceof MemorySegment product)) {
            return false; // arrays are the host's
        }
        Device device = ThreadState.current().device;
        if (device.isCpu() || dtype.isReduced()) {
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
    static boolean unary(Unary function, Tensor x, Tensor result) {
        Device device = ThreadState.current().device;
        return !device.isCpu()
                && !result.dtype().isReduced()
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
    static boolean binary(Binary function, Tensor a, Tensor b, Tensor result) {
        Device device = ThreadState.current().device;
        return !device.isCpu()
                && !result.dtype().isReduced()
                && Arrays.equals(a.dims, b.dims)
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
        return new Run(x.storage().bytes(), x.offset, x.numel());
    }
}
