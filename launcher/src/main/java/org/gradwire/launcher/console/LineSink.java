package org.gradwire.launcher.console;

/** Receives the lines of a {@link LineSplitter}. The arrays are valid during the call only. */
public interface LineSink {

    /** Receive a whole line, without its end. */
    void line(byte[] text, int length);

    /** Receive a text that its writer will overwrite, such as a progress bar. */
    default void progress(byte[] text, int length) {}

    /** Pass on the lines received so far. */
    default void flush() {}

    /** Pass on the rest, after the stream has ended. */
    default void finish() {}
}
