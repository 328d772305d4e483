package org.gradwire.junit;

import org.gradwire.rpc.Rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Selects the worker of a parameter of type {@link Rpc}, in tests with {@link GradwireWorkers}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Worker {

    /** {@return the worker's rank, from 0 on} */
    int value();
}
