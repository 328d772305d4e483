package org.gradwire.tensor.operator.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name of a row's function and methods, where it is not that of the schema. */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.SOURCE)
public @interface JavaName {
    /** {@return the name} */
    String value();
}
