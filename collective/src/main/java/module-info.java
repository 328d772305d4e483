/**
 * Collective operations on tensors: all members of a process group call the same operation, and
 * each gets its result. Messages travel over the backend of the workers; there are no other
 * connections and threads.
 *
 * @provides org.gradwire.spi.RpcExtensionProvider
 */
module org.gradwire.collective {
    requires transitive org.gradwire.autograd;
    requires static transitive org.jspecify;

    exports org.gradwire.collective;

    provides org.gradwire.spi.RpcExtensionProvider with
            org.gradwire.collective.CollectiveExtensionProvider;
}
