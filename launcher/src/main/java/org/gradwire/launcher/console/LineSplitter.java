package org.gradwire.launcher.console;

import java.util.Arrays;

/**
 * Splits a stream of bytes into lines and progress texts.
 *
 * <p>{@code \n} and {@code \r\n} end a line. A lone {@code \r} makes the text before it a progress
 * text, and the text after it another one, until a line end. Bytes are not decoded: in UTF-8
 * neither byte occurs within a character, so output passes unchanged.
 *
 * <p>Not thread-safe.
 */
public final class LineSplitter {
    /**
     * Maximum length of a line; a longer one is passed on in pieces, so that memory stays bounded.
     */
    static final int MAX_LINE_BYTES = 1 << 20;

    private final LineSink sink;
    private byte[] text = new byte[256];
    private int length;
    private boolean afterReturn;
    private boolean redrawn;
    private boolean shown;

    LineSplitter(LineSink sink) {
        this.sink = sink;
    }

    /** Accept the next bytes. A progress text is passed on before its end. */
    void accept(byte[] bytes, int count) {
        for (int i = 0; i < count; i++) {
            accept(bytes[i]);
        }
        if (afterReturn || redrawn) {
            show();
        }
    }

    /** Pass on the last line, which needs no line end. */
    void finish() {
        if (length > 0) {
            line();
        }
    }

    private void accept(byte next) {
        if (next == '\n') {
            line();
        } else if (next == '\r') {
            endProgress();
            afterReturn = true;
        } else {
            endProgress();
            append(next);
        }
    }

    private void endProgress() {
        if (afterReturn) {
            show();
            length = 0;
            shown = false;
            redrawn = true;
            afterReturn = false;
        }
    }

    private void show() {
        if (length > 0 && !shown) {
            sink.progress(text, length);
            shown = true;
        }
    }

    private void line() {
        sink.line(text, length);
        length = 0;
        afterReturn = false;
        redrawn = false;
        shown = false;
    }

    private void append(byte next) {
        if (length == MAX_LINE_BYTES) {
            line();
        }
        if (length == text.length) {
            text = Arrays.copyOf(text, 2 * length);
        }
        text[length++] = next;
        shown = false;
    }
}
