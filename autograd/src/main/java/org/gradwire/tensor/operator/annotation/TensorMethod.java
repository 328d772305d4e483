package org.gradwire.tensor.operator.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A form in which a row is a method of {@code Tensor}: with all parameters but {@code self}, or
 * without those that have a fixed value. A last array of integers, if it is the only one, may be
 * given as single integers.
 */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.SOURCE)
@Repeatable(TensorMethod.Forms.class)
public @interface TensorMethod {
    /** {@return the parameters that the method does not have, as {@code keepdim = false}} */
    String[] value() default {};

    /** Several forms of one row. */
    @Target(ElementType.FIELD)
    @Retention(RetentionPolicy.SOURCE)
    @interface Forms {
        /** {@return the forms} */
        TensorMethod[] value();
    }
}
