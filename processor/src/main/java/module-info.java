/**
 * An annotation processor that rejects remote functions and values which the runtime would refuse,
 * and writes the names of parameters that keyword arguments use. Nothing is exported: put the jar
 * on the compiler's processor path; it is a service.
 *
 * @provides javax.annotation.processing.Processor
 */
module org.gradwire.processor {
    requires java.compiler;
    requires jdk.compiler;
    requires static org.jspecify;

    provides javax.annotation.processing.Processor with
            org.gradwire.processor.RemoteFunctionProcessor;
}
