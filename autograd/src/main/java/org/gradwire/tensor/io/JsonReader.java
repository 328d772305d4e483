package org.gradwire.tensor.io;

import java.nio.file.Path;

/** Reads the few kinds of JSON values that a header has, from left to right. */
final class JsonReader {
    private static final String SPACE = " \t\n\r";
    private static final String ESCAPED = "\"\\/bfnrt";
    private static final String MEANT = "\"\\/\b\f\n\r\t";

    private final Path file;
    private final String text;
    private int at;

    JsonReader(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    private void skipSpace() {
        while (at < text.length() && SPACE.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** Take a character if it comes next, after any space. */
    boolean take(char wanted) {
        skipSpace();
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    void expect(char wanted) throws SafeTensorsException {
        if (!take(wanted)) {
            throw wrong("'" + wanted + "'");
        }
    }

    /** Check that only space is left. */
    void expectEnd() throws SafeTensorsException {
        skipSpace();
        if (at < text.length()) {
            throw wrong("the end");
        }
    }

    /** Read a whole number from 0 on. */
    long number() throws SafeTensorsException {
        skipSpace();
        int start = at;
        long value = 0;
        while (at < text.length() && isDigit(text.charAt(at))) {
            int digit = text.charAt(at) - '0';
            if (value > (Long.MAX_VALUE - digit) / 10) {
                throw wrong("a number of at most " + Long.MAX_VALUE);
            }
            value = value * 10 + digit;
            at++;
        }
        boolean leadingZero = at - start > 1 && text.charAt(start) == '0';
        boolean fraction = at < text.length() && ".eE".indexOf(text.charAt(at)) >= 0;
        if (at == start || leadingZero || fraction) {
            at = start;
            throw wrong("a whole number from 0 on");
        }
        return value;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    String string() throws SafeTensorsException {
        expect('"');
        var value = new StringBuilder();
        while (true) {
            char next = next("the end of a text");
            if (next == '"') {
                return value.toString();
            }
            if (next < ' ') {
                at--;
                throw wrong("no control character in a text");
            }
            if (next == '\\') {
                appendEscaped(value);
            } else {
                value.append(next);
            }
        }
    }

    private void appendEscaped(StringBuilder value) throws SafeTensorsException {
        char kind = next("an escaped character");
        if (kind == 'u') {
            appendUnit(value);
            return;
        }
        int known = ESCAPED.indexOf(kind);
        if (known < 0) {
            at--;
            throw wrong("one of " + ESCAPED + "u after a backslash");
        }
        value.append(MEANT.charAt(known));
    }

    /** Characters beyond 16 bits are two escapes, of which neither may stand alone. */
    private void appendUnit(StringBuilder value) throws SafeTensorsException {
        char unit = unit();
        value.append(unit);
        if (Character.isHighSurrogate(unit)) {
            boolean another = text.startsWith("\\u", at);
            at += another ? 2 : 0;
            char low = another ? unit() : 0;
            if (!Character.isLowSurrogate(low)) {
                throw wrong("the second half of a character");
            }
            value.append(low);
        } else if (Character.isLowSurrogate(unit)) {
            throw wrong("the first half of a character before its second");
        }
    }

    private char unit() throws SafeTensorsException {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = "0123456789abcdef".indexOf(Character.toLowerCase(next("a digit")));
            if (digit < 0) {
                at--;
                throw wrong("four hexadecimal digits");
            }
            unit = unit * 16 + digit;
        }
        return (char) unit;
    }

    private char next(String expected) throws SafeTensorsException {
        if (at >= text.length()) {
            throw wrong(expected);
        }
        return text.charAt(at++);
    }

    private SafeTensorsException wrong(String expected) {
        String found =
                at < text.length()
                        ? "'" + text.substring(at, Math.min(at + 16, text.length())) + "'"
                        : "its end";
        return new SafeTensorsException(
                file,
                "the header is not the JSON of a safetensors file: expected %s at character %d, found %s"
                        .formatted(expected, at, found));
    }
}
