package org.gradwire.security;

/**
 * Decides what other workers may do on the workers of this JVM, in addition to the setting {@code
 * gradwire.allow}.
 *
 * <p>Programs provide authorizers as services ({@link java.util.ServiceLoader}). An action is
 * permitted if the setting, where it has a value, and every authorizer permit it: an authorizer can
 * only take permissions away. As soon as one is installed, all actions are checked, on all workers
 * of the JVM.
 *
 * <p>An authorizer is asked once for each caller and action, and again after the caller was lost or
 * has left; it may be asked more often. It is asked of no function that does not exist: calls of
 * those are refused. A worker may do everything on itself.
 *
 * <p>One instance serves the JVM. It is called by many threads at the same time, some of which
 * receive messages: it must return quickly, not block and not make calls. If it throws, the action
 * is refused, the failure is logged, and it is asked again the next time.
 */
@FunctionalInterface
public interface Authorizer {

    /** {@return whether the caller may perform the action} */
    boolean isPermitted(AuthorizationRequest request);
}
