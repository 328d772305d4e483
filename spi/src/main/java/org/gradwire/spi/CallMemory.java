package org.gradwire.spi;

/**
 * Gives back what a call took when it was answered, rather than when it is collected. An extension
 * whose values hold more than heap memory has one.
 */
@FunctionalInterface
public interface CallMemory {

    /**
     * Begin to run a function on the calling thread that keeps nothing of what it is given or
     * makes, but for its result.
     *
     * @param request its arguments were read from there, and are noted there
     * @return ends the run, on the same thread and within the same scopes, when the result was
     *     written or the function failed
     */
    Runnable begin(Input request);
}
