package org.gradwire.launcher;

/** Takes what a {@link LineSplitter} found. The array is lent for the span of the call. */
interface LineSink {

    /** Take a whole line, without its end. */
    void line(byte[] text, int length);

    /** Take a text that its writer will overwrite, such as a progress bar. */
    default void progress(byte[] text, int length) {}
}
