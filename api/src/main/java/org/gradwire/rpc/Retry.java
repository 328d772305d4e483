package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that calls of a remote function are sent again until they are answered. The function runs
 * once all the same: see {@link RpcCalls#withRetry}.
 *
 * <p>It goes beside {@link RemoteCallable} or {@link ScriptFunction}, or into a type that is marked
 * so, and counts on the caller. A policy in the configuration ({@link RpcOptions.Builder#retry}),
 * and one given for a call, count more. The values are those of a {@link RetryPolicy}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Retry {

    /** Attempts after the first; 0 or more. */
    int maxRetries() default 5;

    /** Milliseconds before the first retry, and before the second; 0 or more. */
    long firstDelayMillis() default 100;

    /** By which each further delay is longer than the one before; 1 or more. */
    double backoff() default 1.5;

    /** Milliseconds that an attempt waits for its answer; 1 or more. */
    long attemptTimeoutMillis() default 10_000;
}
