package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a static method that may be called remotely as a script function: the counterpart of
 * {@code @torch.jit.script}.
 *
 * <p>It differs from a {@link RemoteCallable} one in what surrounds it, not in what it may do: it
 * is known by its qualified name, the types of the arguments are checked against its {@link
 * FunctionSchema} on the caller, it can be run locally through {@link Script}, and calls made
 * inside it are reported as script calls.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ScriptFunction {}
