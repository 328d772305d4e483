/** Tests of the store {@code etcd}, with servers of etcd and groups over {@code inproc}. */
module org.gradwire.store.etcd.tests {
    requires transitive org.gradwire.api;
    requires transitive org.gradwire.spi;
    requires static transitive org.jspecify;
    requires org.gradwire.conformance;
    requires org.gradwire.runtime;
    requires org.gradwire.store.etcd;
    requires java.net.http;
    requires org.junit.jupiter.api;
    requires org.junit.jupiter.params;

    uses org.gradwire.spi.store.StoreProvider;

    exports org.gradwire.store.etcd.tests.functions;

    opens org.gradwire.store.etcd.tests to
            org.junit.platform.commons;
}
