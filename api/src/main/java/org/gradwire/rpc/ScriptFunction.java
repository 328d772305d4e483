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
 * <p>It differs from a {@link RemoteCallable} function in four ways: it travels by its qualified
 * name, the caller checks the types of the arguments against its {@link FunctionSchema}, {@link
 * Script} can run it locally, and its own calls are reported as script calls.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ScriptFunction {}
