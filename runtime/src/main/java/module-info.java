/**
 * The implementation of {@code org.gradwire.api}: calls, remote references, groups, and the {@code
 * inproc} backend. Nothing is exported: it is reached through {@link org.gradwire.rpc.Rpc#init}
 * only.
 *
 * <p>Packages, each knowing only those before it: {@code simulation}, {@code future}, {@code
 * config}, {@code store}, {@code classes} (which ones peers may name), {@code wire} (values to
 * bytes), {@code function} (names to methods), {@code profile} (what profilers learn of calls),
 * {@code rref} (the protocol of remote references), {@code inproc}, and the package of the worker
 * itself.
 *
 * @provides org.gradwire.rpc.RpcProvider
 * @provides org.gradwire.spi.BackendProvider
 * @uses org.gradwire.spi.BackendProvider
 * @uses org.gradwire.spi.RpcExtensionProvider
 * @uses org.gradwire.spi.OperatorProvider
 * @uses org.gradwire.spi.DefaultParser
 */
module org.gradwire.runtime {
    requires org.gradwire.api;
    requires org.gradwire.spi;
    requires static org.jspecify;
    requires com.github.benmanes.caffeine;
    requires jdk.jfr;
    requires java.management;

    uses org.gradwire.spi.BackendProvider;
    uses org.gradwire.spi.DefaultParser;
    uses org.gradwire.spi.OperatorProvider;
    uses org.gradwire.spi.RpcExtensionProvider;

    provides org.gradwire.rpc.RpcProvider with
            org.gradwire.runtime.RuntimeProvider;
    provides org.gradwire.spi.BackendProvider with
            org.gradwire.runtime.inproc.InprocBackend;
}
