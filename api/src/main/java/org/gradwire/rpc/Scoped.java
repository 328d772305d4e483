package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a remote function keeps nothing of what it is given or makes, but for what it returns:
 * no field, collection or other thread refers to it when the function has returned.
 *
 * <p>The native memory of large tensors is then given back as soon as the reply was written, or,
 * where the call runs in a distributed autograd context, when that context is released. Without
 * this mark it comes back when the collector finds it, which takes longer and costs collections. A
 * tensor that is used nevertheless fails with an error that names the cause. A call that leaves its
 * result on the callee ({@link RpcCalls#remote}) runs as without the mark.
 *
 * <p>It goes beside {@link RemoteCallable} or {@link ScriptFunction}, or into a type that is marked
 * so. A function that is {@link AsyncExecution} cannot have it, since it goes on after it returned.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Scoped {}
