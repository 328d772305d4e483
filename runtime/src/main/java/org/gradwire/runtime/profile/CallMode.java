package org.gradwire.runtime.profile;

/** How a call is made. */
public enum CallMode {
    /** And waited for. */
    SYNC("sync"),
    /** And not waited for. */
    ASYNC("async"),
    /** From script code, whether or not it waits. */
    ASYNC_JIT("async_jit"),
    /** And its result stays on the callee. */
    REMOTE("remote");

    private final String text;

    CallMode(String text) {
        this.text = text;
    }

    /** {@return the mode in the names of events} */
    String text() {
        return text;
    }
}
