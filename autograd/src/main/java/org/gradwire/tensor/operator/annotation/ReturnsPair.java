package org.gradwire.tensor.operator.annotation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A row of two results, which its methods return as {@code ValuesAndIndices}. */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.SOURCE)
public @interface ReturnsPair {}
