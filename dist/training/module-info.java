/**
 * A program that the build runs once, so that the JVM keeps the classes which workers start with.
 */
module org.gradwire.training {
    requires transitive org.gradwire.api;
    requires transitive org.gradwire.autograd;
    requires org.gradwire.nn;
    requires org.gradwire.spi;

    exports org.gradwire.training;
}
