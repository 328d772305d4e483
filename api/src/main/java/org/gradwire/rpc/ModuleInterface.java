package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface of modules whose instances stay with their owner and are called there. The
 * counterpart of {@code torch.jit.interface}.
 *
 * <p>A reference with such an interface as its declared type refers to a module that no other
 * worker may fetch: all workers call its methods on the owner. {@link Rpc#rref(Object, Class)}
 * declares the type, or a function that returns the interface. A reference to a module's own class
 * has no such restriction.
 *
 * {@snippet :
 * @ModuleInterface
 * @RemoteCallable
 * public interface Encoder {
 *     Tensor forward(Tensor input);
 * }
 * }
 *
 * <p>The annotation does not make the methods callable; {@link RemoteCallable} does. Interfaces
 * that extend the marked one do not inherit it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ModuleInterface {}
