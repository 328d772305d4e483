/**
 * An annotation processor that writes the functions and methods of tensor operators from the rows
 * of {@code org.gradwire.tensor.operator}. The build of {@code autograd} alone uses it.
 *
 * @provides javax.annotation.processing.Processor
 */
module org.gradwire.generator {
    requires java.compiler;
    requires jdk.compiler;
    requires static org.jspecify;

    provides javax.annotation.processing.Processor with
            org.gradwire.generator.OperatorGenerator;
}
