package org.gradwire.spi;

import java.util.Collection;

/**
 * A library of builtin operators. A service with a public constructor without arguments, as {@link
 * java.util.ServiceLoader} requires.
 */
public interface OperatorProvider {

    /** {@return the operators; names are unique across all libraries} */
    Collection<? extends Operator> operators();
}
