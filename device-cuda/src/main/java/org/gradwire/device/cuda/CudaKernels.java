package org.gradwire.device.cuda;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.util.List;

/** The kernels of CUDA devices: products by cuBLAS, others compiled by NVRTC when first used. */
final class CudaKernels implements DeviceKernels {
    private final boolean tf32;
    private final boolean compiles = Nvrtc.exists();

    CudaKernels(boolean tf32) {
        this.tf32 = tf32;
    }

    @Override
    public boolean has(String name, ElementType type) {
        return switch (name) {
            case "matmul" -> ProductKernels.has(type);
            case "sum" -> compiles && SumKernels.has(type);
            default ->
                    compiles && (ElementwiseKernels.has(name, type) || RowKernels.has(name, type));
        };
    }

    @Override
    public boolean run(String name, Operand result, List<Operand> inputs) {
        if (result.count() == 0) {
            return true;
        }
        CudaDevice device = ((CudaMemory) result.memory()).device();
        try {
            return launch(device, name, result, inputs);
        } finally {
            CudaStream stream = device.stream();
            ((CudaMemory) result.memory()).used(stream);
            for (Operand input : inputs) {
                if (!input.isNumber()) {
                    ((CudaMemory) input.memory()).used(stream);
                }
            }
        }
    }

    private boolean launch(CudaDevice device, String name, Operand result, List<Operand> inputs) {
        return switch (name) {
            case "matmul" ->
                    ProductKernels.run(
                            device,
                            tf32,
                            result,
                            inputs.get(0),
                            inputs.get(1),
                            inputs.get(2).integer() == 1);
            case "sum" -> SumKernels.run(device, result, inputs.getFirst());
            default ->
                    ElementwiseKernels.has(name, result.type())
                            ? ElementwiseKernels.run(device, name, result, inputs)
                            : RowKernels.run(device, name, result, inputs);
        };
    }
}
