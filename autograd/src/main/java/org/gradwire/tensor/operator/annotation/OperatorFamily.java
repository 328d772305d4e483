package org.gradwire.tensor.operator.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A class whose public constants are rows. Each row gives a function of {@code Ops}: its name and
 * parameters are those of the schema, which is the first string of the row, and its documentation
 * is that of the constant.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
public @interface OperatorFamily {}
