package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The default of a parameter of a remote function, for calls that omit it. Parameters with a
 * default come last.
 *
 * <p>The caller inserts the default before it sends the call.
 *
 * {@snippet :
 * @RemoteCallable public static Tensor scale(Tensor x, @Default("1.0") double factor) { ... }
 * }
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
