/**
 * NVIDIA GPUs as devices of tensors: {@code cuda:0} and on, by the machine's CUDA driver. Without
 * one there are no devices. Products need cuBLAS, other kernels NVRTC; where these libraries are
 * missing, the host computes. Nothing is exported; the module only has to be on the path.
 *
 * @provides org.gradwire.spi.device.DeviceProvider
 */
module org.gradwire.device.cuda {
    requires org.gradwire.spi;
    requires static org.jspecify;

    provides org.gradwire.spi.device.DeviceProvider with
            org.gradwire.device.cuda.CudaDevices;
}
