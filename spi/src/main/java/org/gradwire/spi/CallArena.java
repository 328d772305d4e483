package org.gradwire.spi;

/**
 * Frees the native memory of a call's values when the call is replied to, rather than when the
 * garbage collector finds them.
 */
@FunctionalInterface
public interface CallArena {

    /**
     * Begin the run of a {@linkplain org.gradwire.rpc.NonRetaining non-retaining} function on the
     * calling thread.
     *
     * @param request the message of the arguments, to which they are attached
     * @return an action that ends the run, to call on the same thread within the same scopes, after
     *     the result was written or the function failed
     */
    Runnable begin(Input request);
}
