/**
 * Neural-network modules and optimizers, local and remote.
 *
 * <p>{@code org.gradwire.nn} and its subpackages, {@code org.gradwire.optim} and {@code
 * org.gradwire.data}, the data loader, are local and independent of workers. {@code
 * org.gradwire.nn.remote} runs modules and optimizers on the workers that own the data. The module
 * also registers a codec with each worker that sends modules by value.
 *
 * @provides org.gradwire.spi.RpcExtensionProvider
 */
@SuppressWarnings("module") // it is compiled later
module org.gradwire.nn {
    requires transitive org.gradwire.autograd;
    requires static transitive org.jspecify;

    exports org.gradwire.data;
    exports org.gradwire.nn;
    exports org.gradwire.nn.activation;
    exports org.gradwire.nn.conv;
    exports org.gradwire.nn.internal to
            org.gradwire.nn.parallel;
    exports org.gradwire.nn.loss;
    exports org.gradwire.nn.normalization;
    exports org.gradwire.nn.pooling;
    exports org.gradwire.nn.recurrent;
    exports org.gradwire.nn.remote;
    exports org.gradwire.nn.transformer;
    exports org.gradwire.optim;
    exports org.gradwire.optim.lr;

    provides org.gradwire.spi.RpcExtensionProvider with
            org.gradwire.nn.remote.RemoteModuleExtensionProvider,
            org.gradwire.nn.wire.ModuleExtensionProvider;
}
