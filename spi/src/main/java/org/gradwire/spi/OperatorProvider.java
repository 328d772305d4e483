package org.gradwire.spi;

import java.util.Collection;

/**
 * A library of builtin operators. Provided as a service; the public constructor without arguments
 * is there for {@link java.util.ServiceLoader}.
 */
public interface OperatorProvider {

    /** {@return the operators; names are unique over all libraries} */
    Collection<? extends Operator> operators();
}
