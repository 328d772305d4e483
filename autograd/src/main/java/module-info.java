/**
 * Tensors, their operators, and automatic differentiation, local and distributed.
 *
 * <p>{@code org.gradwire.tensor} has tensors and their operators, {@code org.gradwire.tensor.io}
 * files of tensors, {@code org.gradwire.autograd} differentiation on one machine, and {@code
 * org.gradwire.autograd.distributed} differentiation across workers. Remote callers find the
 * operators as a service. Matrix products use the OpenBLAS of the module {@code
 * org.bytedeco.openblas.linux.x86_64} when it is on the module path, and the Vector API is used
 * when {@code jdk.incubator.vector} is added; both are optional. The latter is not required here,
 * not even statically: the compiler would warn all that depend on this module.
 */
module org.gradwire.autograd {
    requires transitive org.gradwire.api;
    requires transitive org.gradwire.spi;
    requires static transitive org.jspecify;
    requires tools.jackson.core;

    exports org.gradwire.autograd;
    exports org.gradwire.autograd.distributed;
    exports org.gradwire.tensor;
    exports org.gradwire.tensor.io;

    uses org.gradwire.spi.device.DeviceProvider;
    uses org.gradwire.tensor.dispatch.OperatorLibrary;

    provides org.gradwire.spi.OperatorProvider with
            org.gradwire.autograd.distributed.AutogradOperators,
            org.gradwire.tensor.operator.library.TensorOperators;
    provides org.gradwire.tensor.dispatch.OperatorLibrary with
            org.gradwire.tensor.operator.library.TensorOperators;
    provides org.gradwire.spi.RpcExtensionProvider with
            org.gradwire.autograd.distributed.AutogradExtensionProvider;
    provides org.gradwire.spi.DefaultParser with
            org.gradwire.tensor.TensorDefaultParser;
}
