/**
 * Measures Gradwire and its peers on this machine: {@code ./gradwire bench}. Its packages are
 * exported for the remote functions of the workers, and open for the reflection of JMH and picocli.
 */
@SuppressWarnings("requires-automatic") // gRPC's, Guava's and JMH's jars have no descriptors
open module org.gradwire.bench {
    requires transitive org.gradwire.nn;
    requires org.gradwire.checkpoint;
    requires org.gradwire.collective;
    requires org.gradwire.nn.parallel;
    requires org.gradwire.runtime;
    requires static transitive org.jspecify;
    requires com.google.common;
    requires info.picocli;
    requires io.aeron.client;
    requires io.aeron.driver;
    requires io.grpc;
    requires io.grpc.netty.shaded;
    requires io.grpc.stub;
    requires java.management;
    requires jdk.management;
    requires jdk.unsupported;
    requires jmh.core;
    requires org.agrona;

    exports org.gradwire.bench;
    exports org.gradwire.bench.growth;
}
