package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a remote function that returns an {@link RpcFuture} of its result: the reply is sent when
 * that future completes, and no thread of the callee waits for it.
 *
 * <p>The counterpart of {@code @rpc.functions.async_execution}. The caller gets the value of the
 * future and says so with {@link RpcFunction#async}; a call for the future itself is refused where
 * it is made, with a {@link TypeMismatchException}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD})
public @interface AsyncExecution {}
