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
 * <p>The member must be public, in a public type; in a named module its package must be exported.
 * The callee refuses calls of anything else, whatever the arguments. The function runs on a virtual
 * thread of the callee and may block. PyTorch's term is user-defined function (UDF).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE})
public @interface RemoteCallable {}
