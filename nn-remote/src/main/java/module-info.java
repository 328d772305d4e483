/**
 * Neural-network modules, optimizers, and both of them on other workers.
 *
 * <p>{@code org.gradwire.nn}, {@code org.gradwire.optim} and {@code org.gradwire.data}, which loads
 * batches of samples, are local and know nothing of workers; {@code org.gradwire.nn.remote} puts
 * modules and optimizers where the data is. Modules also travel by value, for which the module adds
 * a codec to each worker.
 *
 * @provides org.gradwire.spi.RpcExtensionProvider
 */
module org.gradwire.nn {
    requires transitive org.gradwire.autograd;
    requires static transitive org.jspecify;

    exports org.gradwire.data;
    exports org.gradwire.nn;
    exports org.gradwire.nn.remote;
    exports org.gradwire.optim;

    provides org.gradwire.spi.RpcExtensionProvider with
            org.gradwire.nn.remote.RemoteModuleExtensionProvider,
            org.gradwire.nn.wire.ModuleExtensionProvider;
}
