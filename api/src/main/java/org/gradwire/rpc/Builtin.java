package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that represents an operator. A call of the method travels as the operator's name
 * and is looked up on the callee in the operators installed there.
 *
 * <p>For libraries of operators, which also provide an {@code org.gradwire.spi.OperatorProvider};
 * applications mark their functions with {@link RemoteCallable}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Builtin {

    /** Full name of the operator with its overload, such as {@code aten::add.Tensor}. */
    String value();
}
