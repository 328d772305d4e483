package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The retry policy of a remote function. The function runs at most once per call nevertheless: see
 * {@link RpcCalls#withRetry}.
 *
 * <p>Annotate a method that is also {@link RemoteCallable} or {@link ScriptFunction}, or a method
 * of a type that is. The caller reads it. A policy of the configuration ({@link
 * RpcOptions.Builder#retry}) takes precedence, and a policy of the call over both. The values are
 * those of a {@link RetryPolicy}, by default of {@link RetryPolicy#DEFAULT}.
 *
 * {@snippet :
 * @Retry(maxRetries = 3) @RemoteCallable public static double mean(double[] values) { ... }
 * }
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Retry {

    /** Attempts after the first; 0 or more. */
    int maxRetries() default RetryPolicy.DEFAULT_RETRIES;

    /** Milliseconds before the first retry, and before the second; 0 or more. */
    long firstDelayMillis() default RetryPolicy.DEFAULT_FIRST_DELAY_MILLIS;

    /** Factor between successive delays; 1 or more. */
    double backoff() default RetryPolicy.DEFAULT_BACKOFF;

    /** Milliseconds that an attempt waits for its reply; 1 or more. */
    long attemptTimeoutMillis() default RetryPolicy.DEFAULT_ATTEMPT_TIMEOUT_MILLIS;
}
