package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares that a remote function retains neither its arguments nor anything it makes, except its
 * result: no field, collection or other thread refers to them after it has returned.
 *
 * <p>The native memory of large tensors is then freed as soon as the reply is written or, in a
 * distributed autograd context, when the context is released. Without the annotation the garbage
 * collector frees it, which is later and costs collections. A tensor that is used after that fails
 * with an error that names the cause. A call that leaves its result on the callee ({@link
 * RpcCalls#remote}) ignores the annotation.
 *
 * <p>Annotate a method that is also {@link RemoteCallable} or {@link ScriptFunction}, or a method
 * of a type that is. An {@link AsyncExecution} function cannot have it, since it uses its arguments
 * after it has returned.
 *
 * {@snippet :
 * @NonRetaining @RemoteCallable public static Tensor step(Tensor batch) { ... }
 * }
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface NonRetaining {}
