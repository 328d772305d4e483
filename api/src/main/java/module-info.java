/**
 * The API of applications: remote procedure calls, references to remote objects, the worker's life
 * cycle, profiles, and authorization.
 *
 * <p>Package {@code rpc} holds interfaces, values and annotations only. {@link
 * org.gradwire.rpc.Rpc#init} finds the implementation with {@link java.util.ServiceLoader}; put
 * {@code org.gradwire.runtime} and a backend on the module path or the class path and nothing else
 * is needed.
 *
 * @uses org.gradwire.rpc.RpcProvider
 */
module org.gradwire.api {
    requires static transitive org.jspecify;

    exports org.gradwire.profiler;
    exports org.gradwire.rpc;
    exports org.gradwire.rpc.elastic;
    exports org.gradwire.rpc.stream;
    exports org.gradwire.security;

    uses org.gradwire.rpc.RpcProvider;
}
