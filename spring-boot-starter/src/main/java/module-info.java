/**
 * A worker as a bean of a Spring Boot application. The module only has to be on the path.
 *
 * <p>Nothing is exported: Spring Boot finds the auto-configurations by their names.
 *
 * @provides org.gradwire.spi.RpcExtensionProvider
 */
@SuppressWarnings("requires-automatic") // Spring's and Micrometer's jars have no descriptors
module org.gradwire.spring {
    requires org.gradwire.api;
    requires org.gradwire.spi;
    requires static org.jspecify;
    // Automatic modules declare no requirements, so all are named here.
    requires spring.beans;
    requires spring.boot;
    requires spring.boot.autoconfigure;
    requires spring.context;
    requires spring.core;
    requires static com.fasterxml.jackson.annotation; // for javac: annotations of Spring's classes
    requires static micrometer.core;
    requires static spring.boot.health;

    opens org.gradwire.spring to
            spring.beans,
            spring.context,
            spring.core;

    provides org.gradwire.spi.RpcExtensionProvider with
            org.gradwire.spring.worker.SpringExtensionProvider;
}
