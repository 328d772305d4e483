/**
 * The store {@code etcd}: groups meet in an etcd cluster, which survives the end of every worker.
 *
 * <p>Nothing is exported: the runtime finds it as a {@link org.gradwire.spi.store.StoreProvider}.
 * It uses the JSON gateway of etcd over the HTTP client of the JDK. {@code docs/design/groups.md}
 * has the reasons, {@code docs/PROTOCOL.md}, C5, the keys.
 *
 * @provides org.gradwire.spi.store.StoreProvider
 */
module org.gradwire.store.etcd {
    requires org.gradwire.spi;
    requires java.net.http;
    requires tools.jackson.core;

    provides org.gradwire.spi.store.StoreProvider with
            org.gradwire.store.etcd.EtcdProvider;
}
