package org.gradwire.spi;

/**
 * Escapes text from peers and files for log lines and error messages, so that it cannot forge
 * lines, control a terminal or fill a log.
 */
public final class UntrustedText {
    private static final int MAX_LENGTH = 200;

    private UntrustedText() {}

    /**
     * Return a text with all characters visible and without quotation marks: control characters,
     * line separators, text direction marks, unpaired surrogates and unassigned characters become
     * {@code \}{@code uXXXX}, a backslash becomes two.
     *
     * @return at most 200 characters; a longer text is cut, and followed by {@code ... (N
     *     characters)} with its original length
     */
    public static String quote(CharSequence text) {
        var escaped = new StringBuilder();
        int next = 0;
        while (next < text.length()) {
            int codePoint = Character.codePointAt(text, next);
            String visible = escape(codePoint);
            if (escaped.length() + visible.length() > MAX_LENGTH) {
                return escaped.append("... (%d characters)".formatted(text.length())).toString();
            }
            escaped.append(visible);
            next += Character.charCount(codePoint);
        }
        return escaped.toString();
    }

    private static String escape(int codePoint) {
        if (codePoint == '\\') {
            return "\\\\";
        }
        String character = Character.toString(codePoint);
        return isVisible(codePoint)
                ? character
                : character.chars().mapToObj("\\u%04x"::formatted).reduce("", String::concat);
    }

    private static boolean isVisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }
}
