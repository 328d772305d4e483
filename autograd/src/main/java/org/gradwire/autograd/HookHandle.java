package org.gradwire.autograd;

/** Removes a hook. */
@FunctionalInterface
public interface HookHandle {

    /** Remove the hook; it runs no more. The second call does nothing. */
    void remove();
}
