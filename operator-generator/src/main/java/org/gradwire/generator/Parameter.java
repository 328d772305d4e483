package org.gradwire.generator;

/**
 * A parameter of an operator.
 *
 * @param name in Java
 * @param type as the row declares it
 */
record Parameter(String name, ParameterType type) {

    boolean isSelf() {
        return name.equals("self") && type.isTensor();
    }

    /** {@return the declaration in Java} */
    String declaration() {
        return type.java() + " " + name;
    }
}
