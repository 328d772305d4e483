package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a public record, enum or module whose values may travel between workers. In a named module
 * its package must be exported, which on the class path all are.
 *
 * <p>A record is sent as its components and made again with its canonical constructor; a module, of
 * {@code org.gradwire.nn}, as its configuration and its state. A type without this mark is refused,
 * on the sender and on the receiver.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface WireValue {}
