package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a public record, enum or module whose values may travel between workers. In a named module
 * its package must be exported.
 *
 * <p>A record is sent as its components and rebuilt by its canonical constructor; a module of
 * {@code org.gradwire.nn} as its configuration and state. Both sender and receiver refuse a type
 * without the annotation.
 *
 * {@snippet :
 * @WireValue public record Order(int id, List<String> items) {}
 * }
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface WireValue {}
