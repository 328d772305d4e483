package org.gradwire.runtime.profile;

/** The mode of a call. */
public enum CallMode {
    /** The caller waits. */
    SYNC("sync"),
    /** The caller gets a future. */
    ASYNC("async"),
    /** Made by script code, which may wait or not. */
    ASYNC_JIT("async_jit"),
    /** The result stays on the callee. */
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
