/**
 * What an application writes against: remote procedure calls, references to remote objects, and the
 * worker's life cycle.
 *
 * <p>The module holds interfaces, values and annotations only. {@link org.gradwire.rpc.Rpc#init}
 * finds the implementation with {@link java.util.ServiceLoader}; put {@code org.gradwire.runtime}
 * and a backend on the module path and nothing else is needed.
 *
 * @uses org.gradwire.rpc.RpcProvider
 */
module org.gradwire.api {
    requires static transitive org.jspecify;

    exports org.gradwire.rpc;

    uses org.gradwire.rpc.RpcProvider;
}
