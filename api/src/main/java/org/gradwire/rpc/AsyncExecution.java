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
 * <p>The counterpart of {@code @rpc.functions.async_execution}. The caller wraps the method
 * reference with {@link RpcFunction#async} and gets the value of the future; a call without the
 * wrapper is refused on the caller, with a {@link TypeMismatchException}.
 *
 * <p>A {@link java.util.concurrent.CompletionStage} may be returned by methods of a {@link
 * ModuleInterface}, which are called through a proxy. A function that is called by a method
 * reference returns an {@link RpcFuture}, made from a stage by {@link Rpc#future}, since {@link
 * RpcFunction#async} takes no other:
 *
 * {@snippet :
 * @AsyncExecution
 * @RemoteCallable
 * public static RpcFuture<String> read(Path file) {
 *     return Rpc.current().future(CompletableFuture.supplyAsync(() -> text(file)));
 * }
 * }
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD})
public @interface AsyncExecution {}
