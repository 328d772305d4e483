package org.gradwire.rpc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface of modules, through which a module is used where it is. The counterpart of
 * {@code torch.jit.interface}.
 *
 * <p>A reference whose value was declared as such an interface stands for a module that stays with
 * its owner: its methods are called there, from everywhere, but no other worker may fetch it. It is
 * declared so by {@link Rpc#rref(Object, Class)}, or by a function that returns the interface. A
 * reference to a module's own class is like any other.
 *
 * {@snippet :
 * @ModuleInterface
 * @RemoteCallable
 * public interface Encoder {
 *     Tensor forward(Tensor input);
 * }
 * }
 *
 * <p>The mark says nothing of who may call the methods; {@link RemoteCallable} does. It is not
 * inherited by interfaces that extend this one.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ModuleInterface {}
