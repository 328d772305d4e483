/**
 * The implementation of {@code org.gradwire.api}: calls, remote references, groups, and the {@code
 * inproc} backend. It exports nothing; {@link org.gradwire.rpc.Rpc#init} is the way in.
 *
 * <p>Packages, each of which depends only on those before it:
 *
 * <ul>
 *   <li>{@code simulation}: simulated time and threads
 *   <li>{@code future}: the futures of calls
 *   <li>{@code thread}: the threads of a worker
 *   <li>{@code flow}: limits on the bytes in flight to a peer
 *   <li>{@code config}: settings
 *   <li>{@code store}: the stores in which groups meet
 *   <li>{@code classes}: the classes that peers may name
 *   <li>{@code wire}: values and messages to bytes
 *   <li>{@code function}: names to methods
 *   <li>{@code profile}: profilers and observers of calls
 *   <li>{@code member}: the workers of a group
 *   <li>{@code authorization}: what peers may do here
 *   <li>{@code rref}: the protocol of remote references
 *   <li>{@code stream}: the producer's end of streams of values
 *   <li>{@code inproc}: the backend inside one JVM
 *   <li>{@code retry}: retries of calls, and the reply cache
 *   <li>{@code call}: calls: sent and served
 *   <li>{@code workers}: members of a group that are called together
 *   <li>{@code collective}: all-gather
 *   <li>{@code group}: static and dynamic groups
 *   <li>{@code standby}: processes that wait to become workers
 *   <li>{@code org.gradwire.runtime}: the worker, assembled from the others
 * </ul>
 *
 * @provides org.gradwire.rpc.RpcProvider
 * @provides org.gradwire.spi.BackendProvider
 * @provides org.gradwire.spi.store.StoreProvider
 * @uses org.gradwire.security.Authorizer
 * @uses org.gradwire.spi.BackendProvider
 * @uses org.gradwire.spi.RpcExtensionProvider
 * @uses org.gradwire.spi.OperatorProvider
 * @uses org.gradwire.spi.DefaultParser
 * @uses org.gradwire.spi.store.StoreProvider
 */
module org.gradwire.runtime {
    requires org.gradwire.api;
    requires org.gradwire.spi;
    requires static org.jspecify;
    requires com.github.benmanes.caffeine;
    requires jdk.jfr;
    requires java.management;

    uses org.gradwire.security.Authorizer;
    uses org.gradwire.spi.BackendProvider;
    uses org.gradwire.spi.DefaultParser;
    uses org.gradwire.spi.OperatorProvider;
    uses org.gradwire.spi.RpcExtensionProvider;
    uses org.gradwire.spi.store.StoreProvider;

    provides org.gradwire.rpc.RpcProvider with
            org.gradwire.runtime.RuntimeProvider;
    provides org.gradwire.spi.BackendProvider with
            org.gradwire.runtime.inproc.InprocBackend;
    provides org.gradwire.spi.store.StoreProvider with
            org.gradwire.runtime.store.FileStoreProvider,
            org.gradwire.runtime.store.InprocStoreProvider,
            org.gradwire.runtime.store.TcpStoreProvider;
}
