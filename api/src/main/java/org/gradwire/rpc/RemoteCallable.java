package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method or constructor that other workers may call. On a type it marks all its public
 * methods and constructors.
 *
 * <p>The member must be public, in a public type; in a named module its package must be exported,
 * which on the class path all are. Without this mark a call is refused on the callee, whatever its
 * arguments: a peer can run nothing else. The function runs on a virtual thread of the callee and
 * may block. In PyTorch's words it is a user-defined function (UDF).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE})
public @interface RemoteCallable {}
