package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a parameter of a remote function the value it takes when a call leaves it out. Parameters
 * with a default come after those without.
 *
 * <p>The caller fills it in before the call is sent.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Default {

    /**
     * The value as text: a number, {@code true} or {@code false}, a string, the name of an enum
     * constant, {@code null}, or, for other types, whatever an installed {@code
     * org.gradwire.spi.DefaultParser} reads ({@code [3, 3]} is a tensor of two integers where
     * tensors are installed).
     */
    String value();
}
