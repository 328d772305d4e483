package org.gradwire.generator;

import java.util.List;

/**
 * A row, as far as its functions and methods need it.
 *
 * @param family simple name of the class that declares it
 * @param constant name of its constant
 * @param javaName of the function and methods
 * @param returnsPair whether its methods return values and indices
 * @param forms in which it is a method
 */
record Row(
        String family,
        String constant,
        String javaName,
        Schema schema,
        Comment comment,
        boolean returnsPair,
        List<Form> forms) {

    /** {@return the function's name and types of parameters, which must be unique} */
    String signature() {
        return javaName
                + schema.parameters().stream().map(parameter -> parameter.type().java()).toList();
    }
}
